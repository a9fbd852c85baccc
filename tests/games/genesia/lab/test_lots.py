"""The lots of the Ages in all combinations, balanced wherever one stops; and what an agent goes without."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.lab.lots import LOTS, choices, lots_fields, orthogonal_array, triples
from genesia_rl.games.genesia.names import AGES, COLOURS
from genesia_rl.matches.entrant import Entrant, parse_entrant, parse_entrants


@pytest.mark.parametrize(("players", "all_of_them"), [(2, 1000), (3, 1000), (4, 125), (5, 1)])
def test_all_lots_are_all_of_them(players: int, all_of_them: int) -> None:
    assert choices(players) == tuple(combinations(COLOURS, players))
    found = triples(players, 1000)
    assert len(found) == len(set(found)) == all_of_them == len(choices(players)) ** AGES
    assert triples(players, 10**6) == found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("wanted", [1, 5, 10, 25, 99, 100, 125, 999, 1000])
def test_any_number_of_lots_is_balanced_in_every_age(players: int, wanted: int) -> None:
    found, number = triples(players, wanted), len(choices(players))
    assert len(set(found)) == len(found) in (number, number**2, number**3)
    for age in range(AGES):
        often = Counter(triple[age] for triple in found)
        assert set(often) == set(range(number)) and len(set(often.values())) == 1
    if number**2 <= wanted:
        for one, other in combinations(range(AGES), 2):
            pairs = Counter((triple[one], triple[other]) for triple in found)
            assert len(pairs) == number**2 and len(set(pairs.values())) == 1


@pytest.mark.parametrize("number", [1, 3, 5, 7, 10])
def test_two_places_of_an_orthogonal_array_are_every_pair_once(number: int) -> None:
    rows = orthogonal_array(number)
    for one, other in combinations(range(4), 2):
        assert sorted((row[one], row[other]) for row in rows) == list(product(range(number), repeat=2))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lots_are_balanced_wherever_one_stops(players: int) -> None:
    found, number = triples(players, 1000), len(choices(players))
    ages = [(age,) for age in range(AGES)]
    for chosen in (*ages, *combinations(range(AGES), 2)):
        often = Counter(dict.fromkeys(product(range(number), repeat=len(chosen)), 0))
        for triple in found:
            often[tuple(triple[age] for age in chosen)] += 1
            assert max(often.values()) - min(often.values()) <= 1


def test_lots_make_a_configuration_and_have_names() -> None:
    fields = lots_fields(2, (0, 9, 4))
    assert fields == {"lots": [["blue", "yellow"], ["red", "violet"], ["yellow", "green"]]}
    assert make_game("genesia", players=2, **fields).config_dict()["lots"] == fields["lots"]
    assert LOTS.names(2)[:2] == ("blue+yellow", "blue+green")


# ---------------------------------------------------------------- entrants


def test_entrants_are_read_and_written() -> None:
    assert parse_entrant(" greedy!war!cities ", "genesia") == Entrant("greedy", ("cities", "war"))
    assert parse_entrant("greedy!war!cities", "genesia").name == "greedy!cities!war"
    for name in ("greedy", "mcts:5!drafting", "random!objective!places"):
        entrant = parse_entrant(name, "genesia")
        assert entrant.name == name and entrant.player("genesia").name
    assert [entrant.name for entrant in parse_entrants("greedy,greedy!war", "genesia")] == [
        "greedy",
        "greedy!war",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("greedy!nonsense", "agent 'greedy!nonsense': without 'nonsense', allowed are war, cities"),
        ("greedy!", "without '', allowed are war"),
        ("greedy!war!war", "names something twice"),
        ("gredy", "agent 'gredy': unknown, allowed are random, greedy"),
        ("greedy,", "agent '': unknown"),
        ("greedy,random,greedy", "greedy stands twice, allowed is once"),
        ("greedy!war!cities,greedy!cities!war", "greedy!cities!war stands twice"),
    ],
)
def test_entrants_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_entrants(text, "genesia")
