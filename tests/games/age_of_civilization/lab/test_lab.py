"""The laboratory: what is measured is what a replay by texts finds; interventions and habits do what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games.age_of_civilization.data_maker import toml

from genesia_rl.core.game import States
from genesia_rl.core.lab import lab_of
from genesia_rl.core.reading import read_table
from genesia_rl.core.registry import make_game
from genesia_rl.games.age_of_civilization.data.reading import FILES, PACKAGE_DATA
from genesia_rl.lab.items import Held
from genesia_rl.matches.games import Games, columns
from genesia_rl.matches.play import Match, plain_match, play
from genesia_rl.players.codes import make_player

NAME = "age_of_civilization"
LAB = lab_of(NAME)
PLANTED = 4  # the technology that a test makes strong
CONFIGS: list[dict[str, Any]] = [
    {"players": 2}, {"players": 4, "innovation": True}, {"players": 3, "draft": True},
    {"players": 2, "innovation": True, "changing_world": True, "draft": True},
]  # fmt: skip

Array = npt.NDArray[Any]


def games_of(game: Any, number: int, **changes: int) -> Match:
    """So many games of one player on all seats, with changes."""
    seeds = np.arange(number, dtype=np.uint64)
    match = plain_match(game, seeds, np.zeros((number, game.num_seats), np.int16))
    for name, value in changes.items():
        match.interventions[name] = value
    return match


def measured(number: int, config: dict[str, Any], code: str = "random", **changes: int) -> Array:
    """The measures of some games."""
    game = make_game(NAME, **config)
    return play(game, [make_player(code, NAME)], games_of(game, number, **changes)).measures


def seen(measures: Array, seats: int) -> Games:
    """The same as analyses see them."""
    return Games({**columns(measures, seats, LAB), "block": np.arange(len(measures))}, LAB)


def played(
    config: dict[str, Any], seed: int, **changes: int
) -> tuple[list[dict[str, Any]], Any, Any, States]:
    """The public states of one game, its measure, the game and its end; random actions as the player takes them."""
    game = make_game(NAME, **config)
    match = games_of(game, 1, **changes)
    match.seeds[:] = seed
    states, log = game.new_states(), np.zeros((1, game.facts.max_decisions), np.int32)
    which, row = np.zeros(1, np.int32), np.zeros(1, np.int64)
    kernels, rng, found = LAB.matches, np.random.default_rng(seed), []
    kernels.begin_rows(states, game.tables, which, match.seeds, match.interventions)
    while not game.is_over(states, 0):
        found.append(
            {**game.state_dict(states, 0), "seat": game.seat(states, 0), "kind": game.kind(states, 0)}
        )
        action = int(rng.choice(game.legal_actions(states, 0)))
        found[-1]["action"] = game.action_text(action)
        done = kernels.play_rows(
            states, game.tables, which, row, np.array([action]), match.interventions, log
        )
        assert done == -1
    measures = np.zeros(1, LAB.measure)
    kernels.measure_rows(game.new_states(), game.tables, which, match.seeds, match.interventions, log,
                         *game.new_scores(), measures)  # fmt: skip
    return found, measures[0], game, states


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("changes", [{}, {"lot": 1}, {"technologies": 1, "wonders": 1, "lot": 1}], ids=str)
def test_a_measure_is_what_a_replay_by_texts_finds(config: dict[str, Any], changes: dict[str, int]) -> None:
    for seed in range(6):
        steps, m, game, states = played(config, seed, **changes)
        end = game.state_dict(states, 0)
        n = game.num_seats
        for seat in range(n):
            mine = [step for step in steps if step["seat"] == seat and step["kind"] == "action"]
            assert m["acts"][seat] == sum(step["action"].startswith("act:") for step in mine)
            assert m["rests"][seat] == sum(step["action"] == "rest" for step in mine)
            owned = [step["civilizations"][seat] for step in (*steps, end)]
            assert [m["first_civilization"][seat]] == next(own for own in owned if own)
            assert m["last_main"][seat] == end["main"][seat]
            assert m["civilizations"][seat] == len(end["civilizations"][seat])
            assert m["researched"][seat] == len(end["technologies"][seat])
            assert m["built"][seat] == len(end["wonders"][seat])
            assert m["special"][seat] == (end["special_cards"][seat] or 0)
            assert (m["workers"][seat], m["coins"][seat]) == (end["workers"][seat], end["coins"][seat])
        for number in range(1, 28):
            having = [{seat for seat in range(n) if number in s["technologies"][seat]} for s in (*steps, end)]
            first = next((seats for seats in having if seats), set())
            assert m["technology_seat"][number] - 1 in first if first else m["technology_seat"][number] == 0
            assert m["technology_owners"][number] == len(having[-1])
        for number in range(1, 16):
            at = [
                (s["round"], seat) for s in (*steps, end) for seat in range(n) if number in s["wonders"][seat]
            ]
            found = (m["wonder_round"][number], m["wonder_seat"][number] - 1)
            assert found == (at[0] if at else (0, -1))
            assert (number in steps[0]["wonder_market"]) <= (m["for_sale"][number] == 1)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_whoever_begins_with_a_civilization_could_have_been_offered_it(config: dict[str, Any]) -> None:
    m = measured(200, config)
    n = config["players"]
    for g in range(len(m)):
        assert m["offered"][g][m["first_civilization"][g][:n]].all()
    assert (m["offered"].sum(axis=1) == (7 * n if config.get("draft") else 5 + n - 1)).all()


@pytest.mark.parametrize("players", [2, 4])
def test_first_civilizations_drawn_by_lot_do_not_depend_on_who_plays(players: int) -> None:
    found = [measured(300, {"players": players}, code, lot=1) for code in ("random", "greedy")]
    drawn = [
        np.take_along_axis(m["first_civilization"], m["order"][:, 0].astype(int), 1)[:, 0] for m in found
    ]
    assert np.array_equal(drawn[0], drawn[1]), "who is first has the same market, whoever plays"


def test_each_civilization_is_drawn_by_lot_equally_often() -> None:
    """Chi-square over the place of the drawn one in the market, in order of numbers: 5 alike."""
    game = make_game(NAME, players=2)
    states = game.new_states()
    m = measured(2_000, {"players": 2}, lot=1)
    places = np.zeros(5)
    for g in range(len(m)):
        game.reset(states, 0, g)
        market = sorted(int(card) for card in game.state_dict(states, 0)["market"])
        places[market.index(int(m["first_civilization"][g][m["order"][g, 0, 0]]))] += 1
    expected = len(m) / 5
    assert ((places - expected) ** 2 / expected).sum() < 18.5  # 0.999 quantile with 4 degrees of freedom


def test_gifts_are_drawn_by_lot_another_one_each() -> None:
    m = measured(1_800, {"players": 4}, technologies=1, wonders=1)
    gifts, wonders = m["technology_gift"], m["wonder_gift"]
    assert all(len(set(row)) == 4 for row in (*gifts.tolist(), *wonders.tolist()))
    counts, expected = np.bincount(gifts.ravel(), minlength=10)[1:], gifts.size / 9
    assert len(counts) == 9 and ((counts - expected) ** 2 / expected).sum() < 26.1  # 8 degrees of freedom
    counts, expected = np.bincount(wonders.ravel(), minlength=16)[1:], wonders.size / 15
    assert len(counts) == 15 and ((counts - expected) ** 2 / expected).sum() < 36.1  # 14
    assert not np.take_along_axis(m["for_sale"], wonders.astype(np.int64), 1).any()
    games = seen(m, 4)
    for items, gift in ((LAB.items[1], gifts), (LAB.items[2], wonders)):
        holder = items.holder(games)
        assert ((holder >= 0).sum(axis=1) == 4).all()
        assert (np.take_along_axis(holder, gift.astype(np.int64), 1) == np.arange(4)).all()


def test_by_the_rules_nothing_is_given_and_holders_are_those_who_had_it_first() -> None:
    m = measured(200, {"players": 3})
    assert not m["technology_gift"].any() and not m["wonder_gift"].any()
    games = seen(m, 3)
    assert np.array_equal(LAB.items[2].holder(games), m["wonder_seat"].astype(int) - 1)
    built = m["wonder_seat"] > 0
    assert (built.sum(axis=1) == m["built"].sum(axis=1)).all()
    assert (m["for_sale"] >= built).all() and (m["for_sale"].sum(axis=1) == 6).all()


def test_coins_are_handed_out_by_place_and_help() -> None:
    config: dict[str, Any] = {"players": 2}
    game = make_game(NAME, **config)
    match = games_of(game, 400)
    match.interventions["coins"][:, 0] = 20
    m = play(game, [make_player("greedy", NAME)], match).measures
    first = np.take_along_axis(m["totals"], m["order"][:, 0].astype(int), 1)
    assert (first[:, 0] > first[:, 1]).mean() > 0.8


@pytest.mark.parametrize("what", LAB.without)
def test_who_goes_without_something_does(what: str) -> None:
    config: dict[str, Any] = {"players": 3, "innovation": True}
    game = make_game(NAME, **config)
    match = games_of(game, 120)
    match.habits[:, 0] = LAB.without[what].habit
    m = play(game, [make_player("random", NAME)], match).measures
    others = m[:]
    if what == "second":
        assert (m["civilizations"][:, 0] == 1).all() and (others["civilizations"][:, 1:] > 1).any()
    elif what == "specials":
        assert not m["special"][:, 0].any() and m["special"][:, 1].any()
    elif what == "wonder":
        assert m["built"][:, 0].mean() < m["built"][:, 1].mean() / 2
    elif what == "research":
        assert m["researched"][:, 0].mean() < m["researched"][:, 1].mean() / 2
    else:
        plain = play(game, [make_player("random", NAME)], games_of(game, 120)).measures
        assert not np.array_equal(plain["totals"], m["totals"])


@pytest.mark.parametrize("what", LAB.without)
def test_a_habit_leaves_only_what_does_without(what: str) -> None:
    game = make_game(NAME, players=2, innovation=True)
    habit = LAB.without[what].habit
    gone = {"second": ("rise:", "annex:"), "annexing": ("annex:",), "specials": ("special:",)}.get(
        what, (f"act:{what}",)
    )
    states, rng, narrowed = game.new_states(), np.random.default_rng(3), 0
    which, row, key = np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(1, np.uint64)
    for seed in range(12):
        game.reset(states, 0, seed)
        while not game.is_over(states, 0):
            copy, chosen = game.new_states(), np.zeros(1, np.int64)
            LAB.matches.habit_rows(
                states, game.tables, which, row, np.array([habit], np.int16), key, copy, chosen
            )
            legal = set(game.texts(game.legal_actions(states, 0)))
            first_turn = "pass" not in legal and game.kind(states, 0) == "civilization"
            kept = legal if first_turn else {text for text in legal if not text.startswith(gone)}
            if len(kept) == 1:
                assert game.action_text(int(chosen[0])) in kept
            elif kept != legal:
                assert chosen[0] == -2 and set(game.texts(game.legal_actions(copy, 0))) == kept
            else:
                assert chosen[0] == -1
            narrowed += kept != legal
            game.step(states, 0, int(rng.choice(game.legal_actions(states, 0))))
    assert narrowed > 0


def test_a_planted_strong_technology_is_found(tmp_path: Path) -> None:
    """Who begins with a technology that brings 36 points at once wins oftener, though others may gain it too."""
    tables: dict[str, Any] = {name: read_table(PACKAGE_DATA / name) for name in FILES.names}
    planted = next(tech for tech in tables["technologies.toml"]["technology"] if tech["number"] == PLANTED)
    planted["effects"] = [{"when": "gain", "do": "points", "n": 9}] * 4
    for name, table in tables.items():
        (tmp_path / name).write_text(toml(table), encoding="utf-8")
    m = measured(400, {"players": 2, "data": str(tmp_path)}, technologies=1)
    held = Held(LAB.items[1])
    held.add(seen(m, 2))
    effects = [held.effect(number, 0).value for number in range(1, 10)]
    assert effects[PLANTED - 1] > 0.4 > 0.3 > max(effects[: PLANTED - 1] + effects[PLANTED:])
