"""Does a game keep the contract? Plays whole games at random and checks every promise in every state.

    for config in variants(name).values():
        check_game(make_game(name, **config))

A broken promise is a `ContractBroken` that says which and where. Another engine, a slower and plainer one,
is still needed: that a game is consistent does not make it the right game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core import trace
from genesia_rl.core.bounds import check_states
from genesia_rl.core.errors import ActionError, StateError
from genesia_rl.core.facts import HEADER
from genesia_rl.core.game import Bytes, Game, States
from genesia_rl.core.pieces import TokenSet
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.testing.stream import Stream

Array = npt.NDArray[Any]


class ContractBroken(AssertionError):
    """A game does not do what the contract says."""


def need(condition: object, promise: str) -> None:
    """The promise is kept, or the check ends here."""
    if not condition:
        raise ContractBroken(promise)


def check_game(game: Game, seeds: Iterable[int] = (0, 1), thorough: int = 7) -> None:
    """Check everything; what costs much only in every `thorough`-th state."""
    check_facts(game)
    check_pieces(game)
    check_token_sets(game)
    check_heads(game)
    check_numbering(game)
    for seed in seeds:
        check_playing(game, seed, thorough)
        check_same_seed(game, seed)
        check_deal(game, seed)
        check_trace(game, seed)


# ---------------------------------------------------------------- what a game says of itself


def check_facts(game: Game) -> None:
    """Names, numbers and the header of the state."""
    need(game.name and isinstance(game.version, int), "a game has a name and a version")
    most = game.facts.most_seats
    need(1 <= game.num_seats <= most, f"num_seats is {game.num_seats}, allowed by its facts are 1..{most}")
    need(len(set(game.kinds)) == len(game.kinds), "every kind of decision has a name of its own")
    check_dtype(game)
    words = game.state_dtype["legal"].shape[0]
    need(words * 64 >= game.num_actions, f"legal has {64 * words} bits for {game.num_actions} actions")
    secret = set(game.facts.secret_parts)
    need(secret <= set(game.score_parts), f"secret parts {secret} are among {game.score_parts}")
    need(len(game.teams) == game.num_seats, f"every seat has a team, not {game.teams}")
    need(len(game.tables) == 1, "the tables of a game hold its own configuration")
    json.dumps(game.config_dict())


def check_dtype(game: Game) -> None:
    """The header is there, and no byte is outside of a field: it would be garbage in a copy."""
    fields = dict(game.state_dtype.fields or {})
    header = tuple(name for name in fields if name in HEADER)
    need(header == HEADER, f"a state has the header {HEADER}, this one {header}")
    covered = sum(field[0].itemsize for field in fields.values())
    need(covered == game.state_dtype.itemsize, "every byte of a state belongs to a field")


def check_pieces(game: Game) -> None:
    """The pieces cover the observation, each byte once."""
    place = 0
    for piece in game.pieces:
        need(piece.start == place, f"piece {piece.name} starts where the one before ends, at {place}")
        need(-128 <= piece.low <= piece.high <= 127, f"piece {piece.name} has bounds that int8 can hold")
        need(piece.meaning, f"piece {piece.name} says what it means")
        place = piece.stop
    need(place == game.observation_size, f"the pieces end at {place}, not at {game.observation_size}")
    need(len({p.name for p in game.pieces}) == len(game.pieces), "every piece has a name of its own")


def check_token_sets(game: Game) -> None:
    """Things lie in the observation, and neighbours are things."""
    for found in game.token_sets:
        inside = found.start >= 0 and found.stop <= game.observation_size
        need(inside, f"token set {found.name} lies within the observation")
        if found.edges is not None:
            need_things(found.edges, found, f"edges of {found.name}")


def check_heads(game: Game) -> None:
    """Every action belongs to one head at most, and those that point at things point at things."""
    sets = {found.name: found for found in game.token_sets}
    actions = np.concatenate([head.actions for head in game.heads])
    need(len(np.unique(actions)) == len(actions), "an action belongs to one head")
    need(actions.min() >= 0 and actions.max() < game.num_actions, "heads score actions of the game")
    for head in game.heads:
        need(
            (head.tokens is None) == (head.things is None), f"head {head.name} has tokens and things, or none"
        )
        if head.tokens is not None and head.things is not None:
            need(head.tokens in sets, f"head {head.name}: {head.tokens} is a token set")
            need(len(head.things) == len(head.actions), f"head {head.name} has a thing for each action")
            need_things(head.things, sets[head.tokens], f"things of head {head.name}")


def need_things(numbers: Array, of: TokenSet, what: str) -> None:
    """All are numbers of a token set's things."""
    need(not numbers.size or (numbers.min() >= 0 and numbers.max() < of.size), f"{what} are 0..{of.size - 1}")


def check_numbering(game: Game) -> None:
    """Every seat's numbering of the actions is one to one, and `from_view` is the way back."""
    for seat in range(game.num_seats):
        seen = [game.to_view(seat, action) for action in range(game.num_actions)]
        need(sorted(seen) == list(range(game.num_actions)), f"to_view of seat {seat} is one to one")
        back = [game.from_view(seat, action) for action in seen]
        need(back == list(range(game.num_actions)), f"from_view of seat {seat} takes to_view back")
    need(
        all(game.to_view(0, action) == action for action in range(game.num_actions)),
        "seat 0 sees the absolute numbering",
    )


# ---------------------------------------------------------------- games as a whole


def check_same_seed(game: Game, seed: int) -> None:
    """The same seed is the same game, at any place of a batch of any size."""
    alone, batch = game.new_states(), game.new_states(5)
    game.reset(alone, 0, seed)
    game.reset(batch, 3, seed)
    stream = Stream(seed)
    while not game.is_over(alone, 0):
        need(same(alone, 0, batch, 3), f"seed {seed} is the same game alone and in a batch")
        action = pick(game, alone, stream)
        game.step(alone, 0, action)
        game.step(batch, 3, action)
    need(same(alone, 0, batch, 3), f"seed {seed} ends alike alone and in a batch")
    untouched = game.new_states()
    need(all(same(untouched, 0, batch, i) for i in (0, 1, 2, 4)), "playing one game leaves the others alone")


def check_deal(game: Game, seed: int) -> None:
    """A deal as traces write it begins the same game."""
    states, other = game.new_states(), game.new_states()
    game.reset(states, 0, seed)
    deal = json.loads(json.dumps(game.deal_dict(states, 0)))
    game.put_deal(other, 0, deal)
    need(game.deal_dict(other, 0) == deal, f"the deal of seed {seed} can be written and read")
    stream = Stream(seed)
    while not game.is_over(states, 0):
        need(question(game, states) == question(game, other), f"seed {seed} and its deal ask the same")
        action = pick(game, states, stream)
        game.step(states, 0, action)
        game.step(other, 0, action)
    need(game.result_dict(states, 0) == game.result_dict(other, 0), f"seed {seed} and its deal end alike")


def check_trace(game: Game, seed: int) -> None:
    """A trace can be written, read and replayed without a difference."""
    written = trace.record(game, Drawing(seed), seed, legal=True, with_states=True)
    read = json.loads(trace.to_line(written))
    need(read == written, f"the trace of seed {seed} is the same after writing and reading")
    found = trace.verify(read).differences
    need(not found, f"the trace of seed {seed} replays without a difference, not: {found[:1]}")


def check_playing(game: Game, seed: int, thorough: int) -> None:
    """Every state of a random game."""
    states, stream = game.new_states(), Stream(seed)
    game.reset(states, 0, seed)
    for number in range(game.max_decisions + 1):
        check_state(game, states, number)
        if number % thorough == 0 or game.is_over(states, 0):
            check_seats(game, states, seed + number)
        if game.is_over(states, 0):
            check_end(game, states)
            return
        if number % thorough == 0:
            check_restorable(game, states)
            check_step(game, states, stream)
        game.step(states, 0, pick(game, states, stream))
    raise ContractBroken(f"seed {seed}: not over after max_decisions = {game.max_decisions}")


# ---------------------------------------------------------------- one state


def check_state(game: Game, states: States, number: int) -> None:
    """The header, the legal set and its texts, the game's own consistency check."""
    found = game.check_state(states, 0)
    need(not found, f"check_state has nothing to say, not: {found}")
    legal = game.legal_actions(states, 0)
    header = states[0]
    need(header["steps"] == number, f"steps counts the decisions: {header['steps']} after {number}")
    need(header["num_legal"] == len(legal), f"num_legal is {header['num_legal']}, {len(legal)} are legal")
    scored = np.concatenate([head.actions for head in game.heads])
    need(set(legal) <= set(scored.tolist()), "every legal action belongs to a head")
    if game.is_over(states, 0):
        need(not legal and game.seat(states, 0) == -1, "when the game is over nobody is asked")
        return
    need(len(legal) >= 2, f"a decision has at least two legal actions, not {len(legal)}")
    need(0 <= game.seat(states, 0) < game.num_seats, f"seat {game.seat(states, 0)} is one of the seats")
    texts = [game.action_text(action) for action in legal]
    need(len(set(texts)) == len(texts), f"legal actions have different texts: {texts}")
    need([game.parse_action(text) for text in texts] == legal, f"texts can be parsed back: {texts}")


def check_restorable(game: Game, states: States) -> None:
    """A state could come from bytes: it keeps the bounds that the game declares, and asks again what it asks."""
    try:
        check_states(game, states, "the state")
    except StateError as error:
        raise ContractBroken(f"a state of the rules may be restored, not: {error}") from None


def check_seats(game: Game, states: States, seed: int) -> None:
    """What every seat sees, and games that it cannot tell from this one."""
    rng = np.random.default_rng(seed)
    for seat in range(game.num_seats):
        mask, observation = check_view(game, states, seat)
        other = game.resample_hidden(states, 0, seat, rng)
        need(not np.shares_memory(other, states), "a resampled game shares nothing with the true one")
        same_view = all(map(np.array_equal, game.view(other, 0, seat), (mask, observation)))
        need(same_view, f"seat {seat} cannot tell the resampled game from the true one")
        found = game.check_state(other, 0)
        need(not found, f"check_state has nothing to say of a resampled game, not: {found}")
        check_restorable(game, other)


def check_view(game: Game, states: States, seat: int) -> tuple[Bytes, Bytes]:
    """The mask is the legal set in the seat's numbering, the observation keeps its bounds."""
    mask, observation = game.view(states, 0, seat)
    legal = game.legal_actions(states, 0) if game.seat(states, 0) == seat else []
    need(set(np.unique(mask)) <= {0, 1}, "a mask holds zeros and ones")
    need(
        np.flatnonzero(mask).tolist() == sorted(game.to_view(seat, action) for action in legal),
        f"the mask of seat {seat} is its legal set",
    )
    for piece in game.pieces:
        part = observation[piece.start : piece.stop]
        within = piece.low <= part.min() and part.max() <= piece.high
        need(within, f"piece {piece.name} holds {part.min()}..{part.max()}, not {piece.low}..{piece.high}")
    parts = game.named(observation)
    need(all(parts[p.name].shape == p.shape for p in game.pieces), "named pieces have their shapes")
    return mask, observation


def check_step(game: Game, states: States, stream: Stream) -> None:
    """Illegal actions change nothing, a copy shares nothing, the ways to step agree."""
    before = states.tobytes()
    for action in illegal_actions(game, states, stream):
        check_refused(game, states, action)
    need(states.tobytes() == before, "a refused action changes nothing")
    action = pick(game, states, Stream(stream.next()))
    seat = game.seat(states, 0)
    copy, other = game.clone(states), game.clone(states)
    need(same(copy, 0, states, 0), "a copy is the same bytes")
    game.step(copy, 0, action)
    need(states.tobytes() == before, "a copy shares nothing with its original")
    mask, observation = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
    view = game.to_view(seat, action)
    need(game.kernels.step_view(other, 0, game.tables, view, mask, observation), "step_view takes the action")
    need(same(copy, 0, other, 0), "step and step_view do the same")
    seen = game.view(copy, 0, max(0, game.seat(copy, 0)))
    need(all(map(np.array_equal, seen, (mask, observation))), "step_view writes the next seat's view")
    game.kernels.put_mask(states, 0, mask)
    need(np.flatnonzero(mask).tolist() == game.legal_actions(states, 0), "put_mask writes the legal set")


def illegal_actions(game: Game, states: States, stream: Stream) -> list[int]:
    """Some actions that are not legal, in and out of range."""
    legal = game.legal_actions(states, 0)
    drawn = [stream.below(game.num_actions) for _ in range(5)]
    beside = [legal[0] - 1, legal[-1] + 1]
    never = [-1, -game.num_actions, game.num_actions, 1 << 40]
    return [action for action in (*drawn, *beside, *never) if action not in legal]


def check_refused(game: Game, states: States, action: int) -> None:
    """An action that is not legal is refused with a reason, whatever way it is taken."""
    need(not game.kernels.step(states, 0, game.tables, action), f"the kernel step refuses action {action}")
    try:
        game.step(states, 0, action)
    except ActionError as error:
        need(str(error), f"the refusal of action {action} gives a reason")
    else:
        raise ContractBroken(f"step refuses action {action}, which is not legal")


def check_end(game: Game, states: States) -> None:
    """The result of a finished game."""
    before = states.tobytes()
    for action in (-1, 0, game.num_actions):
        check_refused(game, states, action)
    need(states.tobytes() == before, "nothing changes when the game is over")
    scores, returns = game.scores(states, 0), game.returns(states, 0)
    need(returns.shape == (game.num_seats,), "every seat has a payoff")
    if game.score_parts:
        need(
            np.array_equal(scores.parts.sum(axis=1), scores.totals),
            "the parts of a score add up to its total",
        )
    need((scores.ranks == 0).any(), "somebody ranks first")
    if game.is_contest:
        need(abs(float(returns.sum())) < 1e-6, f"the payoff of a contest is zero-sum, not {returns}")
        best = returns[scores.ranks == 0].min()
        need((returns[scores.ranks > 0] < best).all(), f"winners are paid more than others: {returns}")
    else:
        need(len(set(returns.tolist())) == 1, f"a joint score is paid to all alike, not {returns}")
    json.dumps(game.result_dict(states, 0))


# ---------------------------------------------------------------- helpers


class Drawing(Player):
    """Plays a stream of random numbers."""

    def __init__(self, seed: int) -> None:
        self.stream = Stream(seed)

    def act(self, decision: DecisionBatch) -> int:
        """A random legal action."""
        game, states = decision.game, decision.states
        return game.to_view(game.seat(states, 0), pick(game, states, self.stream))


def pick(game: Game, states: States, stream: Stream) -> int:
    """A random legal action."""
    legal = game.legal_actions(states, 0)
    return legal[stream.below(len(legal))]


def same(states: States, i: int, other: States, j: int) -> bool:
    """Are two records the same bytes?"""
    return bool(states[i].tobytes() == other[j].tobytes())


def question(game: Game, states: States) -> tuple[int, str, list[int], object]:
    """Who is asked what, what is legal, and the public state."""
    legal = game.legal_actions(states, 0)
    return game.seat(states, 0), game.kind(states, 0), legal, game.state_dict(states, 0)
