"""Numbers of a TOML text are changed, and not a letter besides."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genesia_rl.core.edit import Place, replaced, told, value_at
from genesia_rl.core.errors import DataError

TEXT = '''# cost = 1 is no number of ours
name = "a \\" cost = 7 ]"   # [[thing]]
"odd key".'x y' = 3
long = """
cost = 5 ""quoted""
"""
raw = \'\'\'it's = 9\'\'\'
[plain]
cost=1
deep.er = -2
[[thing]]  # the first
cost = 4# close
parts = [ { n = 1, at = "}]" }, # one
  { n = 2, of = [[1, 2], [3,]] },
]
[thing.inner]
n = 5
[[thing]]
cost = 6
[[thing.more]]
n = 7
[[thing.more]]
n = 8
when = 1979-05-27T07:32:00Z
big = 1_000
'''
PLACES: dict[Place, int] = {
    ("odd key", "x y"): 3, ("plain", "cost"): 1, ("plain", "deep", "er"): -2, ("thing", 0, "cost"): 4,
    ("thing", 0, "parts", 0, "n"): 1, ("thing", 0, "parts", 1, "n"): 2, ("thing", 0, "parts", 1, "of", 1, 0): 3,
    ("thing", 0, "inner", "n"): 5, ("thing", 1, "cost"): 6, ("thing", 1, "more", 0, "n"): 7,
    ("thing", 1, "more", 1, "n"): 8, ("thing", 1, "more", 1, "big"): 1000,
}  # fmt: skip


def test_places_are_those_of_the_table() -> None:
    table = tomllib.loads(TEXT)
    assert {place: value_at(table, place) for place in PLACES} == PLACES
    assert value_at(table, ("thing", 5, "cost")) is None and value_at(table, ("name", "x")) is None


@pytest.mark.parametrize("place", PLACES, ids=told)
def test_one_number_is_changed_and_its_line_is_the_only_other_one(place: Place) -> None:
    found = replaced("x.toml", TEXT, {place: 123})
    assert value_at(tomllib.loads(found), place) == 123
    lines = [(a, b) for a, b in zip(TEXT.splitlines(), found.splitlines(), strict=True) if a != b]
    assert len(lines) == 1 and "123" in lines[0][1]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(PLACES, key=str)), st.integers(-999, 99_999)))
def test_many_numbers_are_changed_and_changed_back(values: dict[Place, int]) -> None:
    found = replaced("x.toml", TEXT, values)
    assert {place: value_at(tomllib.loads(found), place) for place in PLACES} == PLACES | values
    back = replaced("x.toml", found, {place: PLACES[place] for place in values})
    assert back.replace("1000", "1_000") == TEXT


@pytest.mark.parametrize(
    "place", [("name",), ("plain",), ("plain", "price"), ("thing", 9, "cost"), ("long",)]
)
def test_what_is_no_number_is_named(place: Place) -> None:
    with pytest.raises(DataError, match=f"x.toml: {told(place)}: is no number"):
        replaced("x.toml", TEXT, {place: 1})


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(DataError, match=r"x\.toml: is not TOML"):
        replaced("x.toml", "a = ", {})
