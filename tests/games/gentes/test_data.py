"""Data files (RULES 12): ours, those of one's own, and what is refused, with file, entry, key and value."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from games.gentes.data_maker import our_tables, random_folder, toml, write_folder
from games.gentes.referee.modes import MODES
from games.gentes.referee.traces import record_random, verify_trace

from genesia_rl.core import trace
from genesia_rl.core.errors import DataError
from genesia_rl.core.reading import parse_toml
from genesia_rl.core.registry import make_game
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.names import SYMBOLS, TYPES
from genesia_rl.players.random import RandomPlayer

Tables = dict[str, dict[str, Any]]
NAMES = list(MODES)


def changed(folder: Path, change: Callable[[Tables], object]) -> Path:
    """A folder with our files after a change."""
    tables = copy.deepcopy(our_tables())
    change(tables)
    return write_folder(folder, tables)


def card(tables: Tables, number: int) -> dict[str, Any]:
    found: dict[str, Any] = tables["cards.toml"]["card"][number - 1]
    return found


def tile(tables: Tables, number: int) -> dict[str, Any]:
    found: dict[str, Any] = tables["tiles.toml"]["tile"][number - 1]
    return found


def board(tables: Tables) -> dict[str, Any]:
    return tables["board.toml"]


def test_our_files_are_whole() -> None:
    box = load_box()
    assert [len(box.era(era)) for era in (1, 2, 3)] == [20, 18, 16]
    assert (len(box.tiles), len(box.board.cities), len(box.board.homes)) == (28, 18, 9)


def test_what_is_written_is_read_again() -> None:
    for table in our_tables().values():
        assert parse_toml("a file", toml(table)) == table


REFUSED: list[tuple[str, Callable[[Tables], object]]] = [
    (r"card 3 \(Tenement\): points = 31, allowed a whole number 0..30", lambda t: card(t, 3).update(points=31)),
    (r"card 3 .*: points = True", lambda t: card(t, 3).update(points=True)),
    (r"card 3 .*: unknown key 'point' = 3, .*did you mean points", lambda t: card(t, 3).update(point=3)),
    (r"card 3 .*: the key needs is missing", lambda t: card(t, 3).pop("needs")),
    (r"card 3 .*: needs = .*allowed a table of priest", lambda t: card(t, 3).update(needs={"king": 1})),
    (r"priest and soldier together at most 6", lambda t: card(t, 3).update(needs={"priest": 4, "soldier": 3})),
    (r"card 40 .*: synergy = \['sun'\], allowed none in Era III", lambda t: card(t, 40).update(synergy=["sun"])),
    (r"synergy = \['sun', 'sun'\], allowed different", lambda t: card(t, 3).update(synergy=["sun", "sun"])),
    (r"card.name = 'Monument', allowed different names", lambda t: card(t, 3).update(name="Monument")),
    (r"card.number = .*allowed 1..54", lambda t: card(t, 3).update(number=4)),
    (r"11 cards of Era 3.*at least 12", lambda t: [card(t, k).update(era=1) for k in range(39, 44)]),
    (r"gains: do = 'coin', allowed coins", lambda t: card(t, 3).update(gains=[{"do": "coin", "n": 1}])),
    (r"gains: do = None", lambda t: card(t, 3).update(gains=[{"n": 1}])),
    (r"gains, coins: n = 21", lambda t: card(t, 3).update(gains=[{"do": "coins", "n": 21}])),
    (r"gains, hours: unknown key 'per'", lambda t: card(t, 3).update(gains=[{"do": "hours", "n": 1, "per": "flat"}])),
    (r"decline: do = 'first', allowed coins", lambda t: card(t, 3).update(decline=[{"do": "first"}])),
    (r"lasting: do = 'tax'", lambda t: card(t, 3).update(lasting=[{"do": "tax"}])),
    (r"when = 'each', allowed once", lambda t: card(t, 2)["lasting"][0].update(when="each")),
    (r"at most one effect once a round", lambda t: card(t, 2).update(lasting=card(t, 2)["lasting"] * 2)),
    (r"symbol = '', allowed a symbol for navigator", lambda t: card(t, 6)["lasting"][0].pop("symbol")),
    (r"symbol = 'any', allowed a symbol for nav", lambda t: card(t, 2)["lasting"][0].update(symbol="any")),
    (r"allowed once only for tax", lambda t: card(t, 7)["lasting"][0].update(action="tax")),
    (r"source = 'reconstructed', allowed rulebook", lambda t: card(t, 3).update(source="reconstructed")),
    (r"facts = \['colour'\]", lambda t: card(t, 3).update(facts=["colour"])),
    (r"tile 1: coins = 0, allowed an amount of at least 1", lambda t: tile(t, 1).update(coins=0)),
    (r"tile 28: coins = 1, allowed .*Leader", lambda t: tile(t, 28).update(coins=1)),
    (r"tile 1: symbol = 'any', allowed navigator tiles", lambda t: tile(t, 1).update(symbol="any")),
    (r"players = \[2, 2\], allowed different numbers", lambda t: tile(t, 1).update(players=[2, 2])),
    (r"allowed eight solo tiles|allowed 8 solo tiles", lambda t: tile(t, 1).update(solo=False)),
    (r"at least one scribe tile for 2", lambda t: [tile(t, k).update(players=[4]) for k in range(9, 15)]),
    (r"spaces = 6, allowed more than locks", lambda t: board(t)["track"].update(spaces=6)),
    (r"one = \[2, 1, 2, 3, 3, 4\], allowed prices that do not fall",
     lambda t: board(t)["recruiting"].update(one=[2, 1, 2, 3, 3, 4])),
    (r"two = .*allowed prices not below those of one", lambda t: board(t)["recruiting"].update(two=[1] * 6)),
    (r"pairs = .*allowed each type once", lambda t: board(t)["citizens"].update(pairs=[["priest", "priest"]] * 3)),
    (r"no navigator in a row of Homes",
     lambda t: board(t)["row"][0].update(left={"do": "action", "action": "navigator", "coins": 1, "hours": 1,
                                               "symbol": "any"})),
    (r"not two actions, nor two abilities", lambda t: board(t)["row"][0].update(right=board(t)["row"][0]["left"])),
    (r"do = 'hand', allowed an effect that may be used once", lambda t: board(t)["row"][0].update(
        right={"do": "hand", "n": 1})),
    (r"\[\[home\]\]: small = .*every symbol somewhere",
     lambda t: [home.update(small=["column"]) for home in board(t)["home"]]),
    (r"region red = 7, allowed 6 cities", lambda t: board(t)["city"][6].update(region="red")),
    (r"least of cards = .*one number", lambda t: board(t)["bonus"][0].update(least=9)),
    (r"players 2 of cards = 3, allowed 2 tiles", lambda t: board(t)["bonus"][2].update(players=[2, 3, 4])),
    (r"solo of cards = 1, allowed two tiles", lambda t: board(t)["bonus"][0].update(solo=False)),
    (r"beginner\]\]: cards = .*allowed different cards",
     lambda t: board(t)["beginner"][0].update(cards=["Tenement", "Monument"])),
    (r"beginner\]\] 1: cards = 'Palace'", lambda t: board(t)["beginner"][0].update(cards=["Palace", "Monument"])),
    (r"beginner\]\]: place = \[2, 2, 3, 4\]", lambda t: board(t)["beginner"][0].update(place=2)),
    (r"rank\]\]: least = .*rising numbers", lambda t: board(t)["rank"][0].update(least=99)),
    (r"unknown key 'ranks'", lambda t: board(t).update(ranks={"a": 1})),
    (r"tax.number = \[1, 3\], allowed 1..2", lambda t: board(t)["tax"][1].update(number=3)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "change"), REFUSED, ids=range(len(REFUSED)))
def test_refusals_name_file_entry_key_value_and_what_is_allowed(
    tmp_path: Path, words: str, change: Callable[[Tables], object]
) -> None:
    with pytest.raises(DataError, match=words) as refusal:
        load_box(str(changed(tmp_path, change)))
    assert str(tmp_path) in str(refusal.value) and "\n" not in str(refusal.value)


def test_files_that_are_missing_are_ours_and_others_are_refused(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", lambda t: card(t, 1).update(points=29))
    (folder / "tiles.toml").unlink()
    assert load_box(str(folder)).card(1).points == 29
    other = changed(tmp_path / "b", lambda t: None)
    (other / "tile.toml").write_text("")
    with pytest.raises(DataError, match=r"the file tile.toml is not read.*did you mean tiles.toml"):
        load_box(str(other))


def test_a_game_is_played_by_its_own_files(tmp_path: Path) -> None:
    folder = changed(tmp_path, lambda t: board(t)["game"].update(start_coins=3))
    game = make_game("gentes", players=3, data=str(folder))
    states = game.new_states()
    game.reset(states, 0, 1)
    assert game.state_dict(states, 0)["coins"] == [3, 3, 3]


def test_symbols_and_types_are_those_of_the_files() -> None:
    assert {city.symbol for city in load_box().board.cities} == set(SYMBOLS)
    assert {kind for card in load_box().cards for kind in card.needs} == set(TYPES)


# ---------------------------------------------------------------- other files, both implementations


def both_agree(folder: Path, seed: int, games: int) -> int:
    """The engine replays the referee's games with files made at random, and the other way round."""
    random_folder(folder, seed)
    decisions = 0
    for number in range(games * seed, games * (seed + 1)):
        written = record_random(NAMES[number % len(NAMES)], number, folder=folder)
        written["config"] = {**written["config"], "data": str(folder)}
        verdict = trace.verify(json.loads(json.dumps(written)))
        assert not verdict.differences, f"files {seed}, game {number}: {verdict.differences[0]}"
        game = make_game("gentes", **written["config"])
        ours = trace.record(game, RandomPlayer(), number, legal=True, with_states=True)
        ours = json.loads(json.dumps(ours))
        ours["config"].pop("data")
        assert verify_trace(ours, folder) == [], f"files {seed}, game {number}"
        decisions += verdict.decisions
    return decisions


def test_both_implementations_agree_on_files_made_at_random(tmp_path: Path) -> None:
    for seed in range(12):
        assert both_agree(tmp_path / str(seed), seed, 2) > 0


@pytest.mark.slow
def test_both_implementations_agree_on_many_files(tmp_path: Path) -> None:
    for seed in range(100, 160):
        both_agree(tmp_path / str(seed), seed, 3)
