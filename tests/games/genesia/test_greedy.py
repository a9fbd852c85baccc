"""Genesia's `greedy` sees what cards prepare, what End cards score and what coins buy: it plays what is worth it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games.genesia.positions import Play, dealt, start

from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.actions import CARD_BASE, verb_of
from genesia_rl.games.genesia.data.cards import load_data
from genesia_rl.games.genesia.names import K_END_OF_AGE, K_EXPANSION, K_GROWTH
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player

CARDS = load_data().cards
NAMES = {card.name: card.number for card in CARDS.values()}
GREEDY = make_player("greedy", "genesia")

#: Some regions and cities in each Age, on the map of two players.
LANDS: dict[int, dict[str, Any]] = {
    1: {"clans": {0: {0: 2}, 1: {0: 2}, 16: {1: 2}, 17: {1: 2}}, "cities": {}},
    2: {"clans": {0: {0: 1}, 4: {0: 2}, 7: {0: 2}, 20: {1: 2}}, "cities": {0: 0, 4: 0, 7: 0, 20: 1}},
    3: {
        "clans": {0: {0: 1}, 7: {0: 2}, 10: {0: 3}, 32: {0: 1}, 26: {1: 2}},
        "cities": {0: 0, 7: 0, 10: 0, 26: 1},
    },
}


def at(name: str, phase: str, coins: int) -> Play:
    """Seat 0 in its turn of a phase, with nothing in hand but a card."""
    card = CARDS[NAMES[name]]
    other = "violet" if card.lot != "violet" else "red"
    lots = [[card.lot if age == card.age else "blue", other] for age in (1, 2, 3)]
    hands: list[list[int]] = [[card.number], []]
    return start(age=card.age, phase=phase, coins=[coins, 5], hands=hands, lots=lots, **LANDS[card.age])


def choice(play: Play) -> str:
    """What greedy does."""
    action = GREEDY.act(DecisionBatch.one(play.game, play.states, 0, seed=1))
    return play.game.action_text(play.game.from_view(play.seat, action))


def turn(play: Play) -> list[str]:
    """All that greedy does as seat 0 until somebody else is asked, or another phase begins."""
    done: list[str] = []
    phase = int(play.state["phase"])
    while not play.over and play.seat == 0 and play.state["phase"] == phase:
        done.append(choice(play))
        play.do(done[-1])
    return done


@pytest.mark.parametrize(
    "name",
    [
        "Shell money", "Flint deposit", "Invention of alchemy", "Invention of banking",
        "Invention of artificial intelligence", "Cryptocurrency",
    ],
)  # fmt: skip
def test_coins_are_not_given_up_with_the_turn(name: str) -> None:
    """A card brings what was expected of it, so that to play it seems to bring nothing: not to play it loses that."""
    assert f"card:{NAMES[name]}" in turn(at(name, "growth", 6))


@pytest.mark.parametrize(
    "name", ["Great feast", "Royal academy", "Land register", "Tithe barns", "Universal income"]
)
def test_an_end_card_that_scores_is_played_at_the_end_of_its_age(name: str) -> None:
    assert f"card:{NAMES[name]}" in turn(at(name, "end", 6))


@pytest.mark.parametrize(
    ("name", "phase"),
    [("Barley grains", "expansion"), ("Feudal levy", "growth"), ("Vertical farms", "growth")],
)
def test_what_makes_recruits_better_is_played_before_coins_are_spent(name: str, phase: str) -> None:
    assert turn(at(name, phase, 15))[0] == f"card:{NAMES[name]}"


@pytest.mark.parametrize("name", ["Barley grains", "Feudal levy"])
def test_it_is_not_played_when_no_coins_are_left_for_it(name: str) -> None:
    assert f"card:{NAMES[name]}" not in turn(at(name, "growth", 0))


@pytest.mark.parametrize("coins", range(1, 7))
def test_what_is_lost_with_a_turn_is_no_reason_for_bad_moves(coins: int) -> None:
    """With a card that it cannot pay for greedy begins its turn as with none that could be played at all."""
    costly, later = NAMES["Invention of writing"], NAMES["Cave paintings"]
    first = [
        turn(start(phase="growth", coins=[coins, 5], hands=[[number], []], **LANDS[1]))[0]
        for number in (costly, later)
    ]
    assert first[0] == first[1]


def test_nearly_every_card_is_played_by_somebody() -> None:
    """Five seats hold five of every six cards of all lots; what is hardly ever played may be missing in few games."""
    held, played = play_rates(games=16)
    never = [CARDS[number].name for number in held if held[number] >= 8 and not played[number]]
    assert len(never) < 12, never


def play_rates(games: int) -> tuple[Counter[int], Counter[int]]:
    """How often each card was kept in the draft, and how often it was played."""
    held: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for seed in range(games):
        play = dealt(seed, players=5)
        while not play.over:
            action = GREEDY.act(DecisionBatch.one(play.game, play.states, 0, seed=seed))
            verb, number = verb_of(play.game.from_view(play.seat, action))
            if verb == "card":
                (held if play.kind == "draft" else played)[number] += 1
            play.game.step(play.states, 0, play.game.from_view(play.seat, action))
    return held, played


class Forced(Player):
    """Plays as greedy, but a card whenever it may be played."""

    name, version = "forced", 1

    def __init__(self, number: int) -> None:
        self.action = CARD_BASE + number

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        chosen = np.asarray(GREEDY.act_batch(decisions))
        kinds = decisions.states["kind"][decisions.rows]
        may = np.isin(kinds, (K_GROWTH, K_EXPANSION, K_END_OF_AGE)) & (decisions.mask[:, self.action] != 0)
        return np.where(may, self.action, chosen).astype(np.int64)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["Shell money", "Invention of agriculture", "Great feast", "Invention of banking"]
)
def test_who_is_made_to_play_a_card_wins_hardly_oftener(name: str) -> None:
    """Before it saw what ends with a turn, it lost 44 to 56 to itself made to play Shell money."""
    card = CARDS[NAMES[name]]
    other = "red" if card.lot != "red" else "green"
    lots = [[card.lot if age == card.age else "blue", other] for age in (1, 2, 3)]
    found = evaluate(Forced(card.number), [GREEDY], make_game("genesia", players=2, lots=lots), 1200)
    assert found.interval()[0] <= 0.52
