"""What is counted, against a recount game by game; ratings do not know the order of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

from games.genesia.lab.tiny import made_up, picked

from genesia_rl.arena.league import FORMATS, make_league
from genesia_rl.arena.ratings import checked_covariates, rate
from genesia_rl.arena.tally import RESULTS, Sides, Tally
from genesia_rl.core.errors import ConfigError
from genesia_rl.games.genesia.names import SCORE_PARTS
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series

FIGURES = (*RESULTS, *SCORE_PARTS)
AGENTS = "random,greedy,settler,scholar,warlord,trader"
TEAMS = {"players": 4, "teams": [[0, 3], [1], [2]]}
LEAGUES: dict[str, tuple[int, str, dict[str, Any]]] = {
    "two of two": (2, "all", {"players": 2}),
    "six of two": (6, "all", {"players": 2}),
    "two of three": (2, "all", {"players": 3}),
    "four of three": (4, "all", {"players": 3}),
    "three of five": (3, "all", {"players": 5}),
    "six of five": (6, "all", {"players": 5}),
    "one of four": (1, "mirror", {"players": 4}),
    "one against four": (2, "one-against", {"players": 5}),
    "teams": (3, "all", TEAMS),
    "two in teams": (2, "all", {"players": 4, "teams": [[0, 2], [1, 3]]}),
}


def league(name: str, games: int = 60) -> Series:
    count, form, fields = LEAGUES[name]
    agents = ",".join(AGENTS.split(",")[:count])
    return make_league("genesia", parse_entrants(agents, "genesia"), games, 3, form, fields)


def tallied(series: Series, parts: Sequence[Games]) -> Tally:
    tally = Tally(series)
    for games in parts:
        tally.add(Sides(games, series))
    return tally


class Recount:
    """Sums by entrant and by pair, one game after the other."""

    def __init__(self, series: Series, games: Games) -> None:
        self.figures: dict[tuple[int, str], list[float]] = {}
        self.ahead: dict[tuple[int, int], list[float]] = {}
        self.played: dict[int, set[int]] = {}
        for g in range(len(games)):
            self._game(series, games, g)

    def _game(self, series: Series, games: Games, g: int) -> None:
        sides = []
        for seats in series.sides:
            worst = min(seats, key=lambda seat: (games["totals"][g, seat], seat))
            parts = [int(part) for part in games["parts"][g, worst]]
            place, entrant = int(games["ranks"][g, seats[0]]), int(games["entrants"][g, seats[0]])
            sides.append((entrant, place, int(games["totals"][g, worst]), parts))
        for k, (entrant, place, score, parts) in enumerate(sides):
            rest = sides[:k] + sides[k + 1 :]
            better = sum(other[1] < place for other in rest)
            alike = sum(other[1] == place for other in rest)
            first = 1 / (1 + alike) if better == 0 else 0.0
            rank = 1 + better + alike / 2
            lead = score - max(other[2] for other in rest)
            for name, value in zip(FIGURES, (first, rank, score, lead, *parts), strict=True):
                self.figures.setdefault((entrant, name), []).append(value)
            self.played.setdefault(entrant, set()).add(g)
            for other in rest:
                ahead = 1.0 if place < other[1] else 0.5 if place == other[1] else 0.0
                self.ahead.setdefault((entrant, other[0]), []).append(ahead)


@pytest.mark.parametrize("name", LEAGUES)
def test_a_tally_is_what_a_recount_gives(name: str) -> None:
    series = league(name)
    games = made_up(series, 1)
    tally, recount = tallied(series, [games]), Recount(series, games)
    for entrant in range(len(series.entrants)):
        for figure in FIGURES:
            found, held = tally.figure(entrant, figure), recount.figures[entrant, figure]
            assert found.value == pytest.approx(np.mean(held), abs=1e-12)
            assert found.games == len(recount.played[entrant])
            assert found.low <= found.value <= found.high
        for other in range(len(series.entrants)):
            found = tally.ahead(entrant, other)
            held = recount.ahead.get((entrant, other), [])
            assert found.games == 0 if not held else found.value == pytest.approx(np.mean(held), abs=1e-12)
    assert sum(len(held) for held in recount.ahead.values()) == len(games) * len(series.sides) * (
        len(series.sides) - 1
    )


def test_first_places_of_a_game_add_up_to_one() -> None:
    for name in LEAGUES:
        series = league(name)
        sides = Sides(made_up(series, 2), series)
        assert np.allclose(sides.won.sum(axis=1), 1)
        n = len(series.sides)
        assert np.allclose(sides.rank.sum(axis=1), n * (n + 1) / 2)
        ties = (sides.place == 0).sum(axis=1) > 1
        assert ties.any() and not ties.all(), "both are tried"


@pytest.mark.parametrize("name", ["four of three", "teams", "one of four"])
def test_neither_the_parts_nor_the_order_of_blocks_show_in_a_tally(name: str) -> None:
    series = league(name, 200)
    games = made_up(series, 4)
    blocks = np.random.default_rng(0).permutation(series.blocks)
    rows = np.concatenate([np.flatnonzero(games["block"] == block) for block in blocks])
    half = np.flatnonzero(np.diff(games["block"][rows]))[series.blocks // 3] + 1
    one = tallied(series, [games])
    other = tallied(series, [picked(games, rows[:half]), picked(games, rows[half:])])
    for entrant in range(len(series.entrants)):
        assert all(one.figure(entrant, name) == other.figure(entrant, name) for name in FIGURES)
        for second in range(len(series.entrants)):
            if one.ahead(entrant, second).games:
                assert one.ahead(entrant, second) == other.ahead(entrant, second)


@pytest.mark.parametrize("name", ["four of three", "two of two", "teams"])
@pytest.mark.parametrize("covariates", [(), ("place",)])
def test_the_order_of_games_does_not_show_in_ratings(name: str, covariates: tuple[str, ...]) -> None:
    series = league(name, 150)
    games = made_up(series, 5, skill=1.0)
    shuffled = np.random.default_rng(1).permutation(len(games))
    one = rate(series, [Sides(games, series)], covariates, resamples=30)
    parts = [picked(games, rows) for rows in np.array_split(shuffled, 3)]
    other = rate(series, [Sides(part, series) for part in parts], covariates, resamples=30)
    assert one.ratings.elo() == other.ratings.elo() and one.covariates == other.covariates
    for k in range(len(one.covariates)):
        assert one.ratings.coefficient(k) == other.ratings.coefficient(k)


def test_ratings_find_who_is_better() -> None:
    series = league("four of three", 300)
    found = rate(series, [Sides(made_up(series, 6, skill=2.0), series)], resamples=100).ratings
    elo = [held.value for held in found.elo()]
    assert elo == sorted(elo) and sum(elo) == pytest.approx(0, abs=1e-6)
    assert found.difference(3, 0).low > 0 and found.win_probability(3, 0).value > 0.5


def test_covariates_are_those_of_places_and_lots() -> None:
    assert checked_covariates(None, "genesia") == ()
    assert checked_covariates("place, lots", "genesia") == ("place", "lots")
    with pytest.raises(ConfigError, match="covariate 'seat': unknown, allowed are place, lots"):
        checked_covariates("seat", "genesia")
    series = league("two of two", 40)
    with pytest.raises(ConfigError, match="covariate 'lots' with one choice of lots"):
        rate(series, [Sides(made_up(series, 1), series)], ("lots",), resamples=2)


# ---------------------------------------------------------------- leagues


@pytest.mark.parametrize("name", LEAGUES)
def test_a_league_has_at_least_the_games_asked_for_and_few_more(name: str) -> None:
    for games in (1, 50, 333):
        series = league(name, games)
        a_round = sum(len(rows) for rows in series.seats)
        assert games <= series.games < games + a_round and series.games % a_round == 0
        assert series.blocks % len(series.lineups) == 0


def test_in_a_league_everybody_sits_everywhere_equally_often_and_meets_everybody() -> None:
    for name in LEAGUES:
        series = league(name)
        lineup = made_up(series, 1)["entrants"]
        first = [side[0] for side in series.sides]
        for side in first:
            often = np.bincount(lineup[:, side], minlength=len(series.entrants))
            if LEAGUES[name][1] != "one-against":
                assert len(set(often.tolist())) == 1
        for seats in series.sides:
            assert (lineup[:, list(seats)] == lineup[:, [seats[0]]]).all(), "a team is one agent's"


@pytest.mark.parametrize(
    ("agents", "form", "fields", "said"),
    [
        ("greedy", "all", {}, "agents = 'greedy', allowed are 2 or more"),
        ("greedy,random", "swiss", {}, f"format = 'swiss', allowed are {', '.join(FORMATS)}"),
        (
            "greedy,random,settler",
            "one-against",
            {},
            "agents = 'greedy,random,settler' with format one-against, allowed are 2",
        ),
        ("greedy,random", "all", {"players": 1}, "players = 1, allowed is 2"),
        ("greedy,random", "all", {"players": 9}, "players = 9"),
    ],
)
def test_leagues_that_are_none_are_refused(agents: str, form: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_league("genesia", parse_entrants(agents, "genesia"), 10, 0, form, fields).settings()


def test_all_lots_and_lots_of_the_configuration_contradict_each_other() -> None:
    lots = [["blue", "red"]] * 3
    with pytest.raises(ConfigError, match="all lots together with lots or decks of the configuration"):
        make_league("genesia", parse_entrants("greedy,random", "genesia"), 10, 0, "all", {"lots": lots}, 1000)
