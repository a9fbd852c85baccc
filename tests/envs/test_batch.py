"""Batches: step by step the same games as the AEC environment, and opponents that are asked in batches."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from env_tools import (
    CONTESTS,
    EVERY,
    FEW,
    FEW_CONTESTS,
    JOINT,
    Array,
    BatchChooser,
    Chooser,
    Config,
    choices,
    game_of,
    random_action,
)

from genesia_rl.core import chance
from genesia_rl.core.errors import ActionError, ConfigError, PlayerError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.envs.aec import GameAEC
from genesia_rl.vector import Batch, LearnerBatch
from genesia_rl.vector.batch import mix_seeds

SHAPED: Config = {"reward": "score", "shaping": 0.2, "gamma": 0.95}


def env_of(variant: str, **options: Any) -> Any:
    """The AEC environment of a variant."""
    return GameAEC(game_of(variant), **options)


def random_actions(mask: Array, rng: np.random.Generator) -> Array:
    """A random legal action for every row."""
    return np.array([random_action(row, rng) for row in mask])


# ---------------------------------------------------------------- step by step like the AEC environment


class Mirror:
    """A batch and as many AEC environments, side by side."""

    def __init__(self, variant: str, num: int, seed: int, **options: Any) -> None:
        self.batch = Batch(game_of(variant), num, **options)
        self.batch.reset(seed)
        self.envs = [env_of(variant, **options) for _ in range(num)]
        for env, own in zip(self.envs, self.batch.seeds.tolist(), strict=True):
            env.reset(seed=own)
        self.ended = np.zeros(num, int)
        self.rng = np.random.default_rng(seed)

    def step(self) -> None:
        """One action everywhere; everything is compared before and after."""
        self.compare_views()
        actions = random_actions(self.batch.mask, self.rng)
        self.batch.step(actions)
        for i, env in enumerate(self.envs):
            env.step(actions[i])
            self.compare_step(i, env)

    def compare_views(self) -> None:
        batch, seen = self.batch, [env.last()[0] for env in self.envs]
        assert np.array_equal(batch.observation, np.stack([s["observation"] for s in seen]))
        assert np.array_equal(batch.mask, np.stack([s["action_mask"] for s in seen]))
        names = [env.possible_agents.index(env.agent_selection) for env in self.envs]
        assert batch.seat.tolist() == names
        assert batch.kind.tolist() == [env.states[0]["kind"] for env in self.envs]

    def compare_step(self, i: int, env: Any) -> None:
        batch = self.batch
        expected = [env.rewards[a] for a in env.possible_agents]
        tolerance = 2e-6 if batch.settings[0]["shaping"] else 0
        assert np.allclose(batch.reward[i], expected, rtol=0, atol=tolerance)
        over = all(env.terminations.values())
        assert batch.done[i] == over
        if over:
            self.ended[i] += 1
            self.compare_end(i, env)
            env.reset()

    def compare_end(self, i: int, env: Any) -> None:
        batch = self.batch
        last = np.stack([env.observe(agent)["observation"] for agent in env.possible_agents])
        assert np.array_equal(batch.final_observation[i], last)
        result, n = batch.results[i], env.game.num_seats
        infos = [env.infos[agent] for agent in env.possible_agents]
        assert result["totals"][:n].tolist() == [info["score"] for info in infos]
        assert result["ranks"][:n].tolist() == [info["rank"] for info in infos]
        parts = result["parts"][:n, : len(env.game.score_parts)]
        assert np.array_equal(parts, env.game.scores(env.states, 0).parts)
        assert result["steps"] == batch.games["final_length"][i] == env.states[0]["steps"]
        assert batch.games["episode"][i] == self.ended[i]


@pytest.mark.parametrize("variant", EVERY)
def test_a_batch_plays_the_games_of_the_aec_environment(variant: str) -> None:
    mirror = Mirror(variant, 7, seed=3)
    while mirror.ended.min() < 1:
        mirror.step()
    for _ in range(30):
        mirror.step()


@pytest.mark.parametrize("options", [{}, {"reward": "rank"}, SHAPED], ids=["win", "rank", "shaped"])
@pytest.mark.parametrize("variant", FEW)
@pytest.mark.parametrize("size", [1, 2])
def test_several_episodes_in_a_row_are_those_of_the_aec_environment(
    size: int, variant: str, options: Config
) -> None:
    mirror = Mirror(variant, size, seed=5, **options)
    while mirror.ended.min() < 3:
        mirror.step()


@pytest.mark.parametrize("variant", FEW)
def test_a_batch_of_256_games_plays_those_of_the_aec_environment(variant: str) -> None:
    mirror = Mirror(variant, 256, seed=8)
    for _ in range(70):
        mirror.step()


@pytest.mark.slow
@pytest.mark.parametrize("variant", EVERY)
def test_256_games_of_every_variant_to_their_ends(variant: str) -> None:
    mirror = Mirror(variant, 256, seed=9, **SHAPED)
    while mirror.ended.min() < 1:
        mirror.step()


def test_a_row_plays_the_same_games_in_batches_of_any_size() -> None:
    small, large = Batch(game_of("players3"), 2), Batch(game_of("players3"), 50)
    small.reset(4)
    large.reset(4)
    assert np.array_equal(small.seeds, large.seeds[:2]) and len(set(large.seeds.tolist())) == 50
    rng = np.random.default_rng(0)
    for _ in range(400):
        actions = random_actions(large.mask, rng)
        small.step(actions[:2])
        large.step(actions)
        assert np.array_equal(small.observation, large.observation[:2])
        assert np.array_equal(small.games[["seed", "episode"]], large.games[:2][["seed", "episode"]])


def test_seeds_may_be_given_for_each_game() -> None:
    batch = Batch(game_of("players2"), 3)
    for seeds in ([5, 6, 7], (5, 6, 7), np.array([5, 6, 7], np.uint64)):
        batch.reset(seeds)
        assert batch.seeds.tolist() == [5, 6, 7]
    for wrong in ([5, 6], [[5, 6, 7]]):
        with pytest.raises(ConfigError, match="or 3 of them, one a game"):
            batch.reset(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("num", [1, 3, 64])
def test_two_threads_do_what_one_does(num: int) -> None:
    one, two = (Batch(game_of("players4"), num, threads=k, **SHAPED) for k in (1, 2))
    one.reset(2)
    two.reset(2)
    rng, ended = np.random.default_rng(2), 0
    while ended < 1 or one.games["episode"].min() < 1:
        assert_same_batch(one, two)
        actions = random_actions(one.mask, rng)
        one.step(actions)
        two.step(actions)
        ended += int(one.done.sum())
    two.close()


def assert_same_batch(one: Batch, two: Batch) -> None:
    assert one.states.tobytes() == two.states.tobytes() and one.games.tobytes() == two.games.tobytes()
    assert np.array_equal(one.observation, two.observation) and np.array_equal(one.mask, two.mask)
    assert np.array_equal(one.final_observation, two.final_observation)
    assert one.results.tobytes() == two.results.tobytes()


def test_random_actions_are_legal_and_their_streams_go_on() -> None:
    batch = Batch(game_of("players3"), 5)
    batch.reset(0)
    streams = mix_seeds(1, 5)
    for _ in range(100):
        before = streams.copy()
        actions = batch.random_actions(streams)
        assert (streams != before).all() and batch.mask[np.arange(5), actions].all()
        batch.step(actions)


# ---------------------------------------------------------------- arrays of the caller


def test_the_callers_arrays_are_used_in_place() -> None:
    game = game_of("players3")
    mask = np.full((4, game.num_actions), 7, np.int8)
    observation = np.full((4, game.observation_size), 7, np.int8)
    batch = Batch(game, 4, mask=mask, observation=observation)
    batch.reset(0)
    assert batch.mask is mask and batch.observation is observation
    for _ in range(30):
        for i in range(4):
            seen = game.view(batch.states, i, int(batch.seat[i]))
            assert np.array_equal(mask[i], seen[0]) and np.array_equal(observation[i], seen[1])
        batch.step(random_actions(mask, np.random.default_rng(0)))
    assert batch.mask is mask and batch.observation is observation


def test_arrays_that_do_not_fit_are_refused() -> None:
    game = game_of("players3")
    good = np.zeros((4, game.observation_size), np.int8)
    read_only = good.copy()
    read_only.flags.writeable = False
    wrong: list[Array] = [
        good[:3], good[:, 1:].copy(), good.astype(np.int16), np.asfortranarray(good), read_only,
        np.zeros((8, game.observation_size), np.int8)[::2],
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(ConfigError, match="observation = an array of"):
            Batch(game, 4, observation=given)
    with pytest.raises(ConfigError, match="mask = an array of"):
        Batch(game, 4, mask=good)
    for options in ({"num_games": 0}, {"num_games": 2, "threads": 0}):
        with pytest.raises(ConfigError, match=r"allowed is a number 1\.\."):
            Batch(game, **options)  # type: ignore[arg-type]


def test_a_step_allocates_nothing_that_grows_with_games_or_steps() -> None:
    batch = Batch(game_of("players3"), 64)
    batch.reset(0)
    streams = mix_seeds(0, 64)
    views: list[Array] = []
    batch.step(batch.random_actions(streams))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    for _ in range(600):
        batch.step(batch.random_actions(streams))
        views.append(batch.observation) if len(views) < 2 else None
    now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert now - before < 4_000 and peak - before < 10_000 < batch.observation.nbytes
    assert np.shares_memory(views[0], views[1])


# ---------------------------------------------------------------- what is refused


def everything(batch: Batch) -> tuple[bytes, ...]:
    """All that a batch says and keeps."""
    seen = (batch.mask, batch.observation, batch.final_observation)
    return tuple(array.tobytes() for array in (batch.states, batch.games, batch.results, *seen))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_names_its_game_and_changes_nothing_in_any(threads: int) -> None:
    batch = Batch(game_of("players3"), 6, threads=threads)
    batch.reset(1)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(1200):
        actions = random_actions(batch.mask, rng)
        if batch.done.any() or rng.random() < 0.05:
            ends += int(batch.done.any())
            refuse_one(batch, actions.copy(), int(rng.integers(6)), rng)
        batch.step(actions)
    assert ends > 3


def refuse_one(batch: Batch, actions: Array, row: int, rng: np.random.Generator) -> None:
    before = everything(batch)
    actions[row] = int(rng.choice(np.flatnonzero(batch.mask[row] == 0)))
    with pytest.raises(ActionError, match=f"^game {row}: action "):
        batch.step(actions)
    for beyond in (-1, batch.game.num_actions, 1 << 40):
        actions[row] = beyond
        with pytest.raises(ActionError, match=f"^game {row}: "):
            batch.step(actions)
    assert everything(batch) == before


@pytest.mark.parametrize(
    "actions", [[1.0, 2.0], np.zeros(2, np.float32), [None, 1], ["1", "2"], [True, False], [0], [0, 1, 2],
                [[0], [1]], 3, []], ids=repr,
)  # fmt: skip
def test_actions_that_are_not_one_integer_a_game_are_refused(actions: Any) -> None:
    batch = Batch(game_of("players2"), 2)
    batch.reset(0)
    before = everything(batch)
    with pytest.raises(ActionError, match=r"actions of (shape|type)"):
        batch.step(actions)
    assert everything(batch) == before


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint16, list, tuple])
def test_integers_of_any_type_are_actions(kind: Any) -> None:
    one, other = (Batch(game_of("players2"), 3) for _ in range(2))
    rng = np.random.default_rng(0)
    one.reset(0)
    other.reset(0)
    legal = [int(row.argmax()) for row in one.mask]
    one.step(np.array(legal))
    other.step(kind(legal) if kind in (list, tuple) else np.array(legal, kind))
    assert everything(one) == everything(other) and rng


@pytest.mark.parametrize("rows", [[0, 0], [0, 3], [-1, 0]])
def test_some_games_can_be_stepped_but_only_games_that_are_there(rows: list[int]) -> None:
    batch = Batch(game_of("players2"), 3)
    batch.reset(0)
    before = everything(batch)
    with pytest.raises(ActionError, match=r"allowed are different ones of 0\.\.2"):
        batch.step_rows(np.array(rows), [int(batch.mask[0].argmax())] * 2)
    assert everything(batch) == before
    others = batch.states[[0, 2]].tobytes()
    batch.step_rows(np.array([1], np.int32), [int(batch.mask[1].argmax())])
    assert batch.states[[0, 2]].tobytes() == others and everything(batch) != before


# ---------------------------------------------------------------- one learner in every game


class Row:
    """One row of a learner batch, played again through the AEC environment."""

    def __init__(self, batch: LearnerBatch, row: int, learner: Chooser, **options: Any) -> None:
        self.env = GameAEC(batch.game, **options)
        self.batch, self.row, self.learner = batch, row, learner
        self.begin(int(batch.seeds[row]))

    def begin(self, seed: int) -> None:
        self.env.reset(seed=seed)
        self.seat = int(self.batch.learner[self.row])
        codes = self.batch.games["controller"][self.row].tolist()
        opponents = ("random", *self.batch.opponents)
        self.who = [self.learner if code < 0 else opponents[code] for code in codes]
        self.streams = chance.policy_streams(
            self.batch.seeds[[self.row]], [0]
        )  # of the compiled random player
        self.paid, self.decisions = 0.0, 0

    def to_learner(self) -> None:
        """Everybody else answers; what the learner's seat is paid meanwhile is added up."""
        while not self.over and self.mine is not self.learner:
            if self.mine == "random":
                self.step(self.drawn())
            else:
                self.step(self.mine.choose(*self.shown))

    def drawn(self) -> int:
        """What the compiled random player chooses: its stream goes on with its own choices only."""
        decision, action = self.env.decision(), np.zeros(1, np.int64)
        self.env.game.kernels.random_rows(
            decision.states, decision.rows, self.streams, decision.tables, decision.which, action
        )
        return int(action[0])

    @property
    def over(self) -> bool:
        return bool(self.env.states[0]["over"])

    @property
    def acting(self) -> int:
        return int(self.env.states[0]["seat"])

    @property
    def mine(self) -> Any:
        return self.who[self.acting]

    @property
    def shown(self) -> tuple[Array, Array]:
        seen = self.env.last()[0]
        return seen["observation"], seen["action_mask"]

    def step(self, action: int) -> None:
        self.decisions += self.mine is self.learner
        self.env.step(action)
        self.paid += self.env.rewards[f"player_{self.seat}"]

    def compare_view(self) -> int:
        """The learner's own view waits in the row; what it chooses there."""
        observation, mask = self.shown
        assert np.array_equal(self.batch.observation[self.row], observation)
        assert np.array_equal(self.batch.mask[self.row], mask)
        assert self.batch.seat[self.row] == self.acting
        return self.learner.choose(observation, mask)

    def compare_step(self, action: int) -> None:
        """After the batch's step: the same action here, the same answers, the same pay."""
        self.paid = 0.0
        self.step(action)
        self.to_learner()
        batch, row = self.batch, self.row
        assert batch.learner_reward[row] == pytest.approx(self.paid, abs=5e-6)
        assert batch.done[row] == self.over
        if not self.over:
            return
        assert batch.games["final_learner"][row] == self.seat
        assert batch.games["final_length"][row] == self.decisions
        seen = self.env.observe(f"player_{self.seat}")["observation"]
        assert np.array_equal(batch.final_learner_observation[row], seen)
        self.begin(int(self.batch.seeds[self.row]))  # a game may have ended before the learner was asked
        self.to_learner()


def replay(batch: LearnerBatch, seed: int, episodes: int, **options: Any) -> None:
    """Play the batch, and every row again through the AEC environment, for so many games a row."""
    learner = Chooser(100)
    batch.reset(seed)
    rows = [Row(batch, i, learner, **options) for i in range(batch.num_games)]
    for row in rows:
        row.to_learner()
    while batch.games["episode"].min() < episodes:
        actions = [row.compare_view() for row in rows]
        batch.step(actions)
        for row, action in zip(rows, actions, strict=True):
            row.compare_step(action)


LINEUPS: dict[str, list[Any]] = {
    "random": ["random"],
    "act": [Chooser(1)],
    "act_batch": [BatchChooser(2)],
    "mixed": ["random", Chooser(3), BatchChooser(4), "random", BatchChooser(5)],
}


@pytest.mark.parametrize("lineup", LINEUPS)
@pytest.mark.parametrize("variant", FEW_CONTESTS)
def test_the_learners_games_are_those_of_an_aec_loop(variant: str, lineup: str) -> None:
    replay(LearnerBatch(game_of(variant), 4, LINEUPS[lineup]), seed=1, episodes=2)


@pytest.mark.parametrize("variant", CONTESTS)
def test_every_variant_counts_what_others_turns_pay_the_learner(variant: str) -> None:
    batch = LearnerBatch(game_of(variant), 3, LINEUPS["mixed"], seating="random", **SHAPED)
    replay(batch, seed=2, episodes=1, **SHAPED)


@pytest.mark.parametrize("variant", JOINT)
def test_without_opponents_the_learner_plays_all_seats(variant: str) -> None:
    batch = LearnerBatch(game_of(variant), 3, opponents=(), **SHAPED)
    replay(batch, seed=3, episodes=2, **SHAPED)


@pytest.mark.parametrize("variant", FEW_CONTESTS)
def test_games_that_end_on_anothers_turn_pay_the_learner_in_its_last_step(variant: str) -> None:
    """Whoever has decided last: a first place pays more than nothing, any other less."""
    batch, learner = LearnerBatch(game_of(variant), 8, [BatchChooser(1)]), Chooser(2)
    batch.reset(0)
    paid = 0
    while paid < 24:
        seats = batch.learner.copy()
        batch.step(choices(learner, batch))
        for i in np.flatnonzero(batch.done).tolist():
            ranks = batch.results[i]["ranks"][: batch.game.num_seats]
            assert (batch.learner_reward[i] > 1e-6) == (ranks[seats[i]] == 0 and ranks.any())
            paid += 1


def test_every_opponent_is_shown_its_own_view_with_something_to_choose() -> None:
    """Own views alone have the bytes that the AEC environment shows the same seat at the same time."""
    opponents = [Chooser(1), BatchChooser(2)]
    batch = LearnerBatch(game_of("players3"), 2, opponents)
    learner = Chooser(100)
    batch.reset(0)
    rows = [Row(batch, i, learner) for i in range(2)]
    shown: list[set[tuple[bytes, bytes]]] = [set(), set()]
    for row in rows:
        while not row.over:
            observation, mask = row.shown
            if row.mine is not learner:
                shown[opponents.index(row.mine)].add((observation.tobytes(), mask.tobytes()))
            row.step(row.mine.choose(observation, mask))
    while batch.games["episode"].min() < 1:
        batch.step(choices(learner, batch))
    for opponent, own in zip(opponents, shown, strict=True):
        assert own and own <= set(opponent.seen)
        assert all(sum(mask) >= 2 for _, mask in opponent.seen)


def test_opponents_are_asked_once_a_round_for_all_their_games() -> None:
    """A step takes as many calls as the game that has to wait longest, however many games there are."""
    opponent = BatchChooser(1)
    batch, learner = LearnerBatch(game_of("players4"), 128, [opponent]), Chooser(2)
    asked: list[Array] = []
    ask = batch._ask

    def ask_and_count(who: Array, rows: Array) -> Array:
        asked.append(rows)
        return ask(who, rows)

    batch._ask = ask_and_count  # type: ignore[method-assign]  # to see the calls
    batch.reset(0)
    for _ in range(300):
        asked.clear()
        opponent.calls = 0
        batch.step(choices(learner, batch))
        waits = np.bincount(np.concatenate(asked)) if asked else np.zeros(1, int)
        assert opponent.calls == len(asked) == waits.max()
    assert len(opponent.seen) > 128 * 300


def test_random_opponents_cost_no_call() -> None:
    batch = LearnerBatch(game_of("players4"), 8, ["random"])
    batch.reset(0)
    batch._ask = None  # type: ignore[assignment,method-assign]
    for _ in range(200):
        batch.step([int(row.argmax()) for row in batch.mask])


# ---------------------------------------------------------------- seats and lineups


def seats_in(batch: LearnerBatch, games: int, seed: int = 0) -> Array:
    """The learner's seat in the first games of every row."""
    batch.reset(seed)
    found = [batch.learner.copy()]
    rows: list[list[int]] = [[seat] for seat in found[0].tolist()]
    while min(map(len, rows)) < games:
        batch.step([int(row.argmax()) for row in batch.mask])
        for i in np.flatnonzero(batch.done):
            rows[i].append(int(batch.learner[i]))
    return np.array([row[:games] for row in rows])


def test_the_learners_seat_rotates_from_row_to_row_and_from_game_to_game() -> None:
    batch = LearnerBatch(game_of("players3"), 5, seating="rotate", learner_seat=1)
    expected = [[(1 + row + game) % 3 for game in range(4)] for row in range(5)]
    assert seats_in(batch, 4).tolist() == expected == seats_in(batch, 4, seed=9).tolist()


def test_the_learners_seat_can_be_fixed_or_random() -> None:
    fixed = LearnerBatch(game_of("players3"), 4, seating="fixed", learner_seat=2)
    assert (seats_in(fixed, 3) == 2).all()
    drawn = seats_in(LearnerBatch(game_of("players3"), 60, seating="random"), 10)
    times = np.bincount(drawn.ravel(), minlength=3)
    assert abs(times - 200).max() < 60  # five standard deviations
    assert len({tuple(row) for row in drawn.tolist()}) == 60


def test_lineups_go_round_the_table_from_the_learners_left_neighbour() -> None:
    opponents = [Chooser(k) for k in range(3)]
    batch = LearnerBatch(game_of("players4"), 4, opponents, seating="rotate")
    batch.set_lineup(np.arange(4), np.array([[0, 1, 2], [2, 2, 2], [1, 0, 0], [2, 1, 0]]))
    batch.reset(0)
    for i in range(4):
        seats = [(int(batch.learner[i]) + k) % 4 for k in range(4)]
        codes = batch.games["controller"][i][seats].tolist()
        assert codes == [-1, *(batch.games["lineup"][i, 1:4].tolist())]
    assert batch.games["controller"][0][[1, 2, 3]].tolist() == [1, 2, 3]


def test_a_new_lineup_holds_from_the_rows_next_game_on() -> None:
    batch = LearnerBatch(game_of("players2"), 3, [Chooser(1), Chooser(2)], seating="fixed")
    batch.set_lineup(np.arange(3), np.zeros((3, 1), int))
    batch.reset(0)
    batch.set_lineup(np.array([1]), np.array([[1]]))
    while batch.games["episode"].min() < 1:
        expected = np.where((batch.games["episode"] > 0) & (np.arange(3) == 1), 2, 1)
        assert np.array_equal(batch.games["controller"][:, 1], expected)
        batch.step([int(row.argmax()) for row in batch.mask])


def test_opponents_are_spread_evenly_by_default() -> None:
    batch = LearnerBatch(game_of("players4"), 30, [Chooser(k) for k in range(3)])
    assert np.bincount(batch.games["lineup"][:, 1:4].ravel())[1:].tolist() == [30, 30, 30]


def test_wrong_opponents_lineups_and_seats_are_refused() -> None:
    game = game_of("players3")
    wrong: list[Config] = [
        {"opponents": [object()]}, {"opponents": ["clever"]}, {"opponents": [None]}, {"seating": "best"},
        {"learner_seat": 3}, {"learner_seat": -1},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(ConfigError, match="allowed"):
            LearnerBatch(game, 2, **options)
    batch = LearnerBatch(game, 2, ["random"])
    for lineup in ([[0, 1]], [[-1, 0]]):
        with pytest.raises(ConfigError, match="lineup"):
            batch.set_lineup(np.array([0]), np.array(lineup))


class Cheat(Player):
    """An opponent whose answers are no actions."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act_batch(self, decisions: DecisionBatch) -> Any:
        """Always the same."""
        return np.array([self.answer] * len(decisions))


@pytest.mark.parametrize("answer", [-1, game_of("players2").num_actions - 1, 1 << 40])
def test_an_opponents_illegal_action_names_the_opponent(answer: Any) -> None:
    batch = LearnerBatch(game_of("players2"), 3, ["random", Cheat(answer)], seating="fixed")
    with pytest.raises(PlayerError, match=r"^opponent 1: "):
        batch.reset(0)
        for _ in range(50):
            batch.step([int(row.argmax()) for row in batch.mask])


class Sampler(Player):
    """An opponent that draws, from the random numbers of its decisions."""

    def act_batch(self, decisions: DecisionBatch) -> Array:
        """At random."""
        legal = [np.flatnonzero(mask) for mask in decisions.mask]
        drawn = decisions.uniform()
        return np.array([own[int(x * len(own))] for own, x in zip(legal, drawn, strict=True)])


def record(game: Game, seed: int, num: int = 3) -> list[bytes]:
    """The first two rows of a batch, step by step."""
    batch = LearnerBatch(game, num, [Sampler(), "random"], seating="fixed")
    batch.set_lineup(np.arange(num), np.tile([0, 1], (num, 1)))
    batch.reset(seed)
    found = []
    for _ in range(150):
        batch.step([int(row.argmax()) for row in batch.mask])
        found.append(batch.observation[:2].tobytes())
    return found


def test_the_same_seed_is_the_same_play_with_opponents_that_draw_in_batches_of_any_size() -> None:
    game = game_of("players3")
    assert record(game, 4) == record(game, 4, 9) != record(game, 5)


# ---------------------------------------------------------------- several configurations in one batch


def variations_of(name: str) -> tuple[Game, list[Config]]:
    """A game, and variants of it that look alike and differ in what is dealt or in a rule."""
    games = [game_of(variant) for variant in EVERY if variant.startswith(f"{name}/")]
    found: dict[Any, list[Game]] = {}
    for game in games:
        found.setdefault((game.num_seats, game.teams, game.is_contest, game.pieces), []).append(game)
    alike = max(found.values(), key=len)
    return alike[0], [game.config_dict() for game in alike]


ALIKE = [name for name in game_names() if len(variations_of(name)[1]) > 1]


@pytest.mark.parametrize("name", ALIKE)
def test_a_batch_of_several_configurations_plays_the_games_of_single_ones(name: str) -> None:
    game, fields = variations_of(name)
    tables = game.variations(fields)
    which = np.arange(3 * len(fields)) % len(fields)
    batch = Batch(game, len(which), tables=tables, **SHAPED)
    batch.next_table[:] = which
    batch.reset(7)
    assert np.array_equal(batch.table, which)
    singles = [Batch(make_game(name, **own), len(which), **SHAPED) for own in fields]
    for single in singles:
        single.reset(7)
    streams = mix_seeds(5, len(which))
    while batch.games["episode"].min() < 1:
        actions = batch.random_actions(streams)
        compare_rows(batch, singles, which)
        batch.step(actions)
        for k, single in enumerate(singles):
            mine = np.flatnonzero(which == k)
            single.game.kernels.open_step(single.games)
            single.step_rows(mine, actions[mine])


def compare_rows(batch: Batch, singles: list[Batch], which: Array) -> None:
    """Every row is what the batch of its own configuration has there."""
    for i, k in enumerate(which.tolist()):
        single = singles[k]
        assert np.array_equal(batch.observation[i], single.observation[i])
        assert np.array_equal(batch.mask[i], single.mask[i])
        assert np.array_equal(batch.reward[i], single.reward[i])
        assert batch.states[i].tobytes() == single.states[i].tobytes()
        assert batch.results[i].tobytes() == single.results[i].tobytes()


@pytest.mark.parametrize("name", ALIKE)
def test_another_table_holds_from_the_rows_next_game_on(name: str) -> None:
    game, fields = variations_of(name)
    batch = Batch(game, 4, tables=game.variations(fields))
    batch.reset(1)
    batch.next_table[:] = [0, 1, 0, 1]
    streams = mix_seeds(2, 4)
    assert batch.table.tolist() == [0] * 4
    while batch.games["episode"].min() < 2:
        batch.step(batch.random_actions(streams))
        expected = np.where(batch.games["episode"] > 0, batch.next_table, 0)
        assert np.array_equal(batch.table, expected)
        first = batch.games["episode"] == 1
        for i in np.flatnonzero(batch.done & first).tolist():  # the second game, dealt from the table it says
            own = make_game(name, **fields[int(batch.table[i])])
            states = own.new_states()
            own.reset(states, 0, int(batch.seeds[i]))
            assert states[0].tobytes() == batch.states[i].tobytes()


@pytest.mark.parametrize("name", ALIKE)
def test_players_are_asked_with_the_configuration_of_each_row(name: str) -> None:
    game, fields = variations_of(name)
    batch = Batch(game, len(fields), tables=game.variations(fields))
    batch.next_table[:] = np.arange(len(fields))
    batch.reset(3)
    decisions = batch.decisions()
    assert np.array_equal(decisions.which, batch.table)
    rows, which = np.arange(len(fields)), batch.table
    bare = DecisionBatch(game, batch.states, rows, batch.seeds, tables=batch.tables, which=which)
    assert np.array_equal(bare.mask, batch.mask) and np.array_equal(bare.observation, batch.observation)
    for k, own in enumerate(fields):
        assert np.array_equal(decisions.tables_of(k), make_game(name, **own).tables)


def test_configurations_that_do_not_look_alike_are_refused() -> None:
    game = game_of("players2")
    with pytest.raises(ConfigError, match="allowed in one batch are configurations that look alike"):
        game.variations([{}, game_of("players3").config_dict()])
