"""`ppo:hf://OWNER/REPO/FILE`: fetched by the package, then a file like any other. No test asks the network."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cli_tools import Capture, genesia, mistake

from genesia_rl.core import registry
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import make_game, register_game
from genesia_rl.matches.selfplay import players_of
from genesia_rl.players import hub
from genesia_rl.players.codes import base_name, fetches, make_player, runs_code
from genesia_rl.players.learned import LearnedPlayer, save_model
from genesia_rl.players.networks import Architecture, Layout, initial_weights

COMMIT = "0123456789abcdef0123456789abcdef01234567"
ADDRESS = "hf://somebody/dice/models/2p.npz"


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hub, "fetched", hub.fetched.__wrapped__)
    register_game("toy", "toy")
    yield
    del registry._GAMES["toy"]


class FakeHub:
    """What is used of `huggingface_hub`: a function that lays a file of a repository down and says where."""

    def __init__(self, files: dict[str, Path]) -> None:
        self.files, self.asked = files, list[tuple[str, str, str | None, bool]]()
        self.error: Exception | None = None
        self.size: int | None = None

    def hf_hub_download(
        self, repo_id: str, filename: str, revision: str | None = None, dry_run: bool = False
    ) -> Any:
        self.asked.append((repo_id, filename, revision, dry_run))
        if self.error is not None:
            raise self.error
        file = self.files[f"{repo_id}/{filename}"]
        size = file.stat().st_size if self.size is None else self.size
        return SimpleNamespace(file_size=size, commit_hash=COMMIT) if dry_run else str(file)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeHub:
    made = FakeHub({"somebody/dice/models/2p.npz": a_model(tmp_path / "kept" / "2p.npz")})
    monkeypatch.setitem(sys.modules, "huggingface_hub", made)
    return made


def a_model(path: Path) -> Path:
    """A small network for the toy, with weights at random."""
    game, architecture = make_game("toy"), Architecture("flat", 8, 4, 4, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    weights = initial_weights(architecture, Layout(game), np.random.default_rng(0))
    save_model(path, architecture, game, weights, {"by": "a test"})
    return path


EVALUATE = ("evaluate", "--game", "toy", "--against", "random", "--games", "4", "--agent")


# ---------------------------------------------------------------- what is fetched plays


def test_a_model_of_the_hub_plays_like_the_file_that_it_is(capsys: Capture, fake: FakeHub) -> None:
    code, out, err = genesia(capsys, *EVALUATE, f"ppo:{ADDRESS}")
    assert code == 0 and out.startswith(f"ppo:{ADDRESS} against random: "), err
    file = fake.files["somebody/dice/models/2p.npz"]
    assert (
        genesia(capsys, *EVALUATE, f"ppo:{file}")[1].partition("random: ")[2] == out.partition("random: ")[2]
    )


def test_what_was_looked_at_is_what_is_fetched(fake: FakeHub) -> None:
    player = LearnedPlayer("hf://somebody/dice@v1/models/2p.npz", use_torch=False)
    assert player.name == "ppo:hf://somebody/dice@v1/models/2p.npz"
    assert player.fingerprint(make_game("toy")) == LearnedPlayer(
        str(fake.files["somebody/dice/models/2p.npz"])
    ).fingerprint(make_game("toy"))
    assert fake.asked[:2] == [
        ("somebody/dice", "models/2p.npz", "v1", True),
        ("somebody/dice", "models/2p.npz", COMMIT, False),
    ]


def test_the_number_of_players_is_that_of_the_file(fake: FakeHub) -> None:
    assert players_of("toy", f"ppo:{ADDRESS}") == [2]


def test_codes_of_the_hub_keep_their_name_and_are_not_for_files_of_others(
    capsys: Capture, fake: FakeHub
) -> None:
    """The base name of a file is the same wherever the file is; an address is that already."""
    assert base_name(f"ppo:{ADDRESS}") == f"ppo:{ADDRESS}" and base_name("ppo:x/2p.npz") == "ppo:2p.npz"
    assert fetches(f"ppo:{ADDRESS}") and not runs_code(f"ppo:{ADDRESS}") and not fetches("ppo:x/2p.npz")
    assert genesia(capsys, "record", "--game", "toy", "--out", "a.jsonl")[0] == 0
    text = Path("a.jsonl").read_text()
    play = f'"play":{{"seats":["ppo:{ADDRESS}","random"]}},"steps"'
    Path("a.jsonl").write_text(text.replace('"steps"', play, 1))
    said = mistake(capsys, "play", "a.jsonl", "--step", "0", "--no-open", "--folder", "live")
    assert said == f"a.jsonl: agent 'ppo:{ADDRESS}' comes from the network, allowed is to name it by --seats"
    assert fake.asked == []


# ---------------------------------------------------------------- what is refused, in one line


def test_without_the_package_it_is_said_what_to_install(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    said = mistake(capsys, *EVALUATE, f"ppo:{ADDRESS}")
    assert said == f'agent ppo:{ADDRESS} needs huggingface_hub: pip install "genesia-rl[hub]"'


def test_what_cannot_be_had_is_one_line(capsys: Capture, fake: FakeHub) -> None:
    fake.error = OSError("404 Client Error. (Request ID: x)\n\nEntry Not Found for url: y.\nPlease log in.")
    said = mistake(capsys, *EVALUATE, f"ppo:{ADDRESS}")
    assert said == (
        f"{ADDRESS}: cannot be fetched (OSError: 404 Client Error. (Request ID: x)), allowed is {hub.USAGE}"
    )


def test_what_is_too_large_is_not_fetched(capsys: Capture, fake: FakeHub) -> None:
    fake.size = hub.MOST_BYTES + 1
    assert mistake(capsys, *EVALUATE, f"ppo:{ADDRESS}") == (
        f"{ADDRESS}: has {hub.MOST_BYTES + 1} bytes, allowed are at most {hub.MOST_BYTES}"
    )
    assert [dry for *_, dry in fake.asked] == [True]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x80\x04K\x01.", "not a model (File is not a zip file), allowed is one by genesia train (.npz)"),
        ("objects", "not a model (header holds object, and not plain numbers)"),
        ("header", "header missing or not JSON, allowed is a model by genesia train"),
    ],
    ids=["pickle", "objects", "header"],
)
def test_a_fetched_file_passes_the_loader_of_any_other(
    capsys: Capture, fake: FakeHub, content: bytes | str, why: str
) -> None:
    file = fake.files["somebody/dice/models/2p.npz"]
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content == "objects":
        np.savez(file, header=np.array([{}], object))
    else:
        np.savez(file, header=np.zeros(3, np.uint8))
    assert why in mistake(capsys, *EVALUATE, f"ppo:{ADDRESS}")


@pytest.mark.parametrize(
    "path",
    [
        "hf://", "hf://dice/2p.npz", "hf://somebody/dice", "hf://somebody/dice/", "hf://somebody/dice//2p.npz",
        "hf://somebody/dice/../2p.npz", "hf://somebody/dice/a\\b.npz", "hf://some body/dice/2p.npz",
        "hf://somebody/dice@/2p.npz", "hf://somebody/dice@a@b/2p.npz", "hf://somebody/dice/2p.npz\x07",
        f"hf://{'x' * 97}/dice/2p.npz",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_before_anything_is_asked(fake: FakeHub, path: str) -> None:
    with pytest.raises(ConfigError, match=r"allowed is ppo:hf://OWNER/REPO/FILE or hf://OWNER/REPO@REV"):
        make_player(f"ppo:{path}", "toy")
    assert fake.asked == []


# ---------------------------------------------------------------- with the package itself


def test_the_package_itself_finds_what_it_has_kept_and_says_what_it_has_not(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offline, as it is after a file was fetched once: the hub's own cache, in the hub's own form."""
    pytest.importorskip("huggingface_hub")
    from huggingface_hub import constants

    cache = tmp_path / "cache"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    kept = cache / "models--somebody--dice"
    file = kept / "snapshots" / COMMIT / "models" / "2p.npz"
    file.parent.mkdir(parents=True)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(COMMIT)
    shutil.copy(a_model(tmp_path / "2p.npz"), file)
    for address in (ADDRESS, f"hf://somebody/dice@{COMMIT}/models/2p.npz"):
        assert genesia(capsys, *EVALUATE, f"ppo:{address}")[0] == 0
    said = mistake(capsys, *EVALUATE, "ppo:hf://somebody/dice/models/3p.npz")
    assert said.startswith("hf://somebody/dice/models/3p.npz: cannot be fetched (")
    assert said.endswith(f", allowed is {hub.USAGE}")
