"""What is said of cards of which there are few games."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from genesia_rl.games.genesia.lab.cards import CARDS, could_replace, load
from genesia_rl.games.genesia.names import MAX_CARD
from genesia_rl.lab.figures import Figures
from genesia_rl.lab.items import FALSE_ALARMS, Held, Picked, reach, verdicts
from genesia_rl.lab.skill import agreement

CARD, OTHER = 39, 40
WORSE, BETTER = 1, 6


class Alike:
    """Games of two players, each a block of its own."""

    def by_block(self, values: np.ndarray) -> np.ndarray:
        return values


def held_by_winners(games: int) -> Held:
    """One card whose holder won all games; of another, half of them."""
    held = Held(CARDS)
    won = np.zeros((games, MAX_CARD + 1))
    won[:, CARD] = 1.0
    won[::2, OTHER] = 1.0
    seen = np.zeros(won.shape)
    seen[:, [CARD, OTHER]] = 1.0
    ahead = np.stack([2 * won - 1, 40 * won], axis=2)
    put(held.effects, ahead, np.repeat(seen[..., None], 2, axis=2))
    put(held.won, won, seen)
    return held


def put(figures: Figures, values: np.ndarray, counted: np.ndarray) -> None:
    figures.add(Alike(), values, counted)  # type: ignore[arg-type]


def test_how_alike_policies_find_cards_has_an_interval_over_cards() -> None:
    one = {number: float(number) for number in range(1, 41)}
    rng = np.random.default_rng(5)
    other = {number: value + rng.normal(0, 10) for number, value in one.items()} | {90: 1.0}
    found = agreement(one, other)
    assert -1 <= found.low < found.value < found.high <= 1 and found.blocks == 40
    assert found.low > 0.4 and found.high - found.low < 0.5
    assert agreement(one, one).value == pytest.approx(1.0)
    assert np.isnan(agreement({1: 0.0}, one).value)


@pytest.mark.parametrize(("games", "found"), [(2, False), (4, False), (40, True)])
def test_a_card_that_won_its_few_games_is_not_overpowered(games: int, found: bool) -> None:
    judged = verdicts(load({}), held_by_winners(games), Picked(CARDS))
    assert sorted(judged) == ([CARD, OTHER] if found else [])  # few games are not judged at all
    if found:
        assert judged[CARD].overpowered <= FALSE_ALARMS < judged[OTHER].overpowered


def two_cards(worse: float, better: float, games: int) -> Held:
    """Two cards in the same games, whose holders win these shares of them."""
    held, at = Held(CARDS), np.arange(games)
    held.seats = 2
    won = np.zeros((games, MAX_CARD + 1))
    for step, (card, share) in zip((7, 11), ((WORSE, worse), (BETTER, better)), strict=True):
        won[:, card] = (at * step) % 100 < 100 * share
    seen = np.zeros(won.shape)
    seen[:, [WORSE, BETTER]] = 1.0
    put(held.effects, np.stack([2 * won - 1, 40 * won], axis=2), np.repeat(seen[..., None], 2, axis=2))
    put(held.won, won, seen)
    return held


@pytest.mark.parametrize(
    ("worse", "better", "games", "found"),
    [
        (0.30, 0.70, 1000, True),
        (0.55, 0.95, 1000, False),  # better, but the card is worth something
        (0.48, 0.49, 100_000, False),  # no use beyond doubt, but hardly worse
        (0.48, 0.52, 100_000, True),
        (0.48, 0.52, 1000, False),  # that may be chance
    ],
)
def test_a_card_is_dominated_if_it_is_of_no_use_and_another_is_clearly_better(
    worse: float, better: float, games: int, found: bool
) -> None:
    cards = load({})
    assert could_replace(cards[BETTER], cards[WORSE]) and not could_replace(cards[WORSE], cards[BETTER])
    judged = verdicts(load({}), two_cards(worse, better, games), Picked(CARDS))
    assert (judged[WORSE].dominated_by, judged[BETTER].dominated_by) == (BETTER if found else 0, 0)


def test_a_card_as_far_out_as_the_report_says_is_flagged_four_times_in_five() -> None:
    """Two cards, of which one is overpowered, one hardly ever played, and by a difference dominated."""
    rng = np.random.default_rng(3)
    held, picked = two_cards(0.4, 0.5, 400), Picked(CARDS)
    put(picked.used, np.ones((400, MAX_CARD + 1)), np.ones((400, MAX_CARD + 1)))
    least = reach(load({}), held, picked)
    assert least is not None and least.games == 400
    often = {"overpowered": 0, "never": 0, "dominated": 0}
    for _ in range(200):
        shares = (0.5 - least.dominated / 2, 0.5), (0.5, 0.5 + least.overpowered / 2)
        dominated, overpowered = (drawn(rng, *pair) for pair in shares)
        plays = Picked(CARDS)
        played = rng.random((400, MAX_CARD + 1)) < least.uses
        put(plays.used, played.astype(float), np.ones(played.shape))
        often["overpowered"] += verdicts(load({}), overpowered, plays)[BETTER].overpowered <= FALSE_ALARMS
        often["dominated"] += verdicts(load({}), dominated, plays)[WORSE].dominated_by == BETTER
        often["never"] += verdicts(load({}), dominated, plays)[WORSE].never
    assert all(0.65 < count / 200 < 0.92 for count in often.values()), often


def drawn(rng: np.random.Generator, worse: float, better: float) -> Held:
    """Games in which these shares are won, one card's against the other's."""
    held = Held(CARDS)
    held.seats = 2
    won = np.zeros((400, MAX_CARD + 1))
    luck = rng.random(400)
    won[:, WORSE], won[:, BETTER] = luck < worse, rng.random(400) < better
    seen = np.zeros(won.shape)
    seen[:, [WORSE, BETTER]] = 1.0
    put(held.effects, np.stack([2 * won - 1, 40 * won], axis=2), np.repeat(seen[..., None], 2, axis=2))
    put(held.won, won, seen)
    return held
