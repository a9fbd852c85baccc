"""A review is honest: equal choices are no mistakes, planted ones are found, luck is what decisions do not explain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scene_tools import GAMES

from genesia_rl.core.errors import ConfigError, TraceError
from genesia_rl.core.registry import make_game
from genesia_rl.core.trace import record
from genesia_rl.players.codes import make_player, make_players
from genesia_rl.review import judge
from genesia_rl.review.estimates import estimate, game_level, is_mistake
from genesia_rl.review.judge import Review, Settings, review
from genesia_rl.review.opinions import opinion, resolved, usual_reviewer, who_plays_out
from genesia_rl.review.playing import (
    CHANCE,
    LEAD,
    NOTHING,
    WORTH,
    Playouts,
    Question,
    worlds_of,
    worth_of,
)
from genesia_rl.studio.frames import positions

SMALL = Settings("random", playouts=8, threads=1)


def toy(**fields: Any) -> tuple[Any, dict[str, Any]]:
    """A short game of random players."""
    game = make_game("toy", target=20, **fields)
    return game, record(game, make_players("random", "toy"), 5)


def planted(points: Sequence[int], die: int, action: str) -> dict[str, Any]:
    """A game of Pig with one decision: after a first throw, with these points."""
    dice = [die] * 3 + [2, 3, 4, 1] * 60
    position = {"player": 0, "points": list(points), "dice": dice[:240]}
    return {
        "format": "toy-trace/1",
        "config": {"sides": 4},
        "position": position,
        "steps": [[0, "turn", action]],
    }


class Noise:
    """In place of play-outs: every choice is worth the same but for luck, save those that cost something."""

    def __init__(self, cost: dict[int, float], seed: int) -> None:
        self.cost, self.rng, self.played = cost, np.random.default_rng(seed), 0

    def answer(self, questions: Sequence[Question], tell: Any = None) -> list[Any]:
        """Skewed luck of the world, and of each choice in it."""
        found = []
        for question in questions:
            shape = question.actions.shape
            luck = self.rng.normal(size=(shape[0], 1)) * 8 + self.rng.exponential(4, size=shape)
            lead = luck - np.vectorize(lambda action: self.cost.get(action, 0.0))(question.actions)
            alike = question.actions[:, :, None] == question.actions[:, None, :]
            lead = np.take_along_axis(lead, alike.argmax(axis=2), axis=1)  # the same choice, the same game
            won = (lead > 0).astype(float)
            own = np.stack([won, lead, won + np.tanh(lead / 20) / 2], axis=2)
            other = np.stack([1 - won, -lead, 1 - won - np.tanh(lead / 20) / 2], axis=2)
            pair = np.stack([own, other], axis=3)
            found.append(pair if question.eyes == 0 else pair[..., ::-1])
        return found


def judged_noise(monkeypatch: pytest.MonkeyPatch, cost: dict[int, float], seed: int) -> Review:
    """A whole review of a toy game in which only these choices cost anything."""
    game, trace = toy()
    monkeypatch.setattr(judge, "Playouts", lambda *_: Noise(cost, seed))
    return review(game, trace, Settings("random", playouts=24, seed=seed, threads=1))


# ---------------------------------------------------------------- honesty


def test_equal_choices_are_no_mistakes_at_the_stated_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """No choice is worse than another, the best of a first look is compared: mistakes are as rare as said."""
    found = [judged_noise(monkeypatch, {}, seed) for seed in range(60)]
    alarms = sum(bool(review.mistakes) for review in found)
    assert sum(not d.agreed for review in found for d in review.decisions) > 100
    assert alarms <= 8, "5 % of 60 games are 3"


def test_a_choice_that_costs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every throw costs 12 points; whoever held has done nothing wrong."""
    found = judged_noise(monkeypatch, {1: 12.0}, 1)
    thrown = [d for d in found.decisions if d.words == "roll the die"]
    assert thrown and sum(d.mistake for d in thrown) >= 0.8 * len(thrown)
    assert all(not d.mistake for d in found.decisions if d.words == "hold the die")
    assert all(d.better_words == "hold the die" for d in found.mistakes)
    assert found.by(lambda d: 0)[0].lost.value == pytest.approx(
        12 * len(thrown) / len(found.decisions), rel=0.3
    )


def test_the_level_makes_intervals_say_what_benjamini_and_hochberg_say() -> None:
    rng = np.random.default_rng(3)
    for real in (0, 3, 10):
        samples = [rng.normal(1.5 if k < real else 0.0, 1, size=20) for k in range(30)]
        p = np.array([estimate(sample).p() for sample in samples])
        level = game_level(p)
        outside = [e.low > 0 or e.high < 0 for e in (estimate(sample, level) for sample in samples)]
        from genesia_rl.stats.multiple import benjamini_hochberg

        assert outside == (benjamini_hochberg(p) <= 0.05).tolist()
    assert game_level(np.array([])) == pytest.approx(0.95)


def test_what_never_varies_in_few_worlds_is_not_sure() -> None:
    assert estimate(np.ones(2)).low < 0 < estimate(np.ones(20)).low
    assert estimate(np.zeros(5)).low == 0 and math.isnan(estimate(np.ones(1)).low)


def test_a_trifle_is_no_mistake_and_victory_decides() -> None:
    sure, none = estimate(np.linspace(2, 3, 30)), estimate(np.zeros(30))
    trifle = estimate(np.linspace(0.2, 0.3, 30))
    assert is_mistake(none, sure) and not is_mistake(none, trifle)
    against = estimate(np.linspace(-0.3, -0.2, 30))
    assert not is_mistake(against, sure), "points that were given for the victory"
    assert is_mistake(trifle, against), "0.25 of the victory are no trifle"


# ---------------------------------------------------------------- real games


def test_a_planted_blunder_is_found() -> None:
    """Whoever can win by holding and throws again risks all of it."""
    game = make_game("toy", sides=4)
    found = review(game, planted((38, 38), 3, "roll"), Settings("random", playouts=96, threads=2))
    assert [d.better_words for d in found.mistakes] == ["hold the die"] and found.luck == ()
    right = review(game, planted((38, 38), 3, "hold"), Settings("random", playouts=96, threads=2))
    assert not right.mistakes and right.decisions[0].agreed
    assert right.decisions[0].chances[0].value == 1.0 and right.luck[0].value == 0.0


def test_choices_are_played_out_in_the_same_worlds() -> None:
    """The same choice twice gives the same games, and so does the same question on more threads."""
    game, trace = toy()
    moments = [(states.copy(), action) for states, action in positions(game, trace)][:-1]
    asked = [
        Question(states, game.seat(states, 0), np.array([[0, 1, 0]] * 6), place)
        for place, (states, _) in enumerate(moments)
    ]
    one = Playouts(game, make_player("random", "toy"), 1).answer(asked)
    two = Playouts(game, make_player("random", "toy"), 3).answer(asked)
    for found, again in zip(one, two, strict=True):
        assert (found[:, 0] == found[:, 2]).all() and (found == again).all()
    assert any((found[:, 0] != found[:, 1]).any() for found in one)
    later = Question(moments[0][0], 0, np.zeros((2, 1), int), 0, first=4)
    assert worlds_of(later).tolist() == worlds_of(asked[0])[4:].tolist()


def test_worlds_are_what_the_seat_cannot_tell_apart() -> None:
    """Whatever is hidden in the recorded game, the review of a decision is the same."""
    game, trace = toy()
    states = next(iter(positions(game, trace)))[0].copy()
    other = game.resample_hidden(states, 0, game.seat(states, 0), np.random.default_rng(9))
    assert other.tobytes() != states.tobytes()
    plays = Playouts(game, make_player("random", "toy"))
    (one,), (two,) = (
        plays.answer([Question(s, game.seat(s, 0), np.tile([0, 1], (8, 1)), 4)]) for s in (states, other)
    )
    assert (one == two).all()


def test_a_finished_game_is_worth_what_its_teams_have() -> None:
    game, trace = toy(players=3)
    last = [states.copy() for states, _ in positions(game, trace)][-1]
    worth = worth_of(game, last)[0]
    totals = game.scores(last, 0).totals
    assert worth[CHANCE].sum() == pytest.approx(1.0) and worth[CHANCE].argmax() == totals.argmax()
    assert worth[LEAD].max() == np.sort(totals)[-1] - np.sort(totals)[-2]
    assert worth[WORTH].argmax() == totals.argmax()
    (again,) = Playouts(game, make_player("random", "toy")).answer(
        [Question(last, 0, np.full((2, 1), NOTHING), 0)]
    )
    assert (again[:, 0] == worth).all()


def test_luck_and_decisions_add_up_to_the_result() -> None:
    game, trace = toy()
    found = review(game, trace, SMALL)
    start, effects = found.decisions[0], 0.0
    for decision in found.decisions:
        arms = np.concatenate(decision.measured)[:, :, CHANCE, 0]
        effects += float((arms[:, judge.TAKEN] - arms[:, judge.AGENTS]).mean())
    won = float(trace["result"]["winners"] == [0])
    assert start.chances[0].value + effects + found.luck[0].value == pytest.approx(won)
    assert found.luck[0].value == pytest.approx(-found.luck[1].value)


def test_the_same_playouts_give_the_same_review() -> None:
    from genesia_rl.review.layer import as_data

    game, trace = toy()
    one, two = (review(game, trace, SMALL._replace(threads=threads)) for threads in (1, 2))
    assert as_data(one) == as_data(two)
    assert as_data(review(game, trace, SMALL._replace(seed=1))) != as_data(one)


@pytest.mark.parametrize(
    ("settings", "said"),
    [(Settings("random", seconds=0.0), "seconds = 0.0"), (Settings("random", playouts=1), "playouts = 1, allowed"),
     (Settings("random", threads=0), "threads = 0"), (Settings("nobody"), "agent 'nobody'")],
)  # fmt: skip
def test_wrong_settings_are_named(settings: Settings, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        review(*toy(), settings)


def test_a_wrong_step_is_named() -> None:
    game, trace = toy()
    trace["steps"][1][2] = "jump"
    with pytest.raises(TraceError, match="step 1: action 'jump'"):
        review(game, trace, SMALL)


def test_a_game_without_decisions_has_nothing_to_review() -> None:
    game, trace = toy()
    found = review(game, {**{k: v for k, v in trace.items() if k != "result"}, "steps": []}, SMALL)
    assert found.decisions == [] and found.luck == () and found.mistakes == []


# ---------------------------------------------------------------- every game


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_first_decisions_of_every_game_are_reviewed(name: str) -> None:
    """By its usual reviewer and by a search; one who plays at random is not better than the one who judges."""
    game = make_game(name)
    codes = f"{usual_reviewer(game)},random"
    trace = record(game, make_players(codes, name), 4)
    short = {**{k: v for k, v in trace.items() if k != "result"}, "steps": trace["steps"][:12]}
    found = review(game, short, Settings(usual_reviewer(game), playouts=8))
    assert len(found.decisions) == 12 and found.luck == ()
    for decision in found.decisions:
        assert sum(choice.share for choice in decision.choices) == pytest.approx(1.0)
        assert sum(chance_.value for chance_ in decision.chances) == pytest.approx(1.0)
        assert {decision.taken, decision.better, decision.agents} <= {c.action for c in decision.choices}


@pytest.mark.parametrize("code", ["mcts:20", "random"])
def test_agents_have_opinions_of_their_own(code: str) -> None:
    game, trace = toy()
    player = resolved(game, code)
    states = next(iter(positions(game, trace)))[0]
    shares = opinion(game, player, states, 1)
    assert set(shares) == {0, 1} and sum(shares.values()) == pytest.approx(1.0)
    assert who_plays_out(game, player).name == "random"
    found = review(game, trace, Settings(code, playouts=4, threads=1))
    assert found.playouts > 0
