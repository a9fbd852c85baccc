"""Many games in one call: the compiled loops behind `genesia_rl.vector`.

A row is a game. `games` holds what the batch keeps about it (contract.ROW); masks and observations
are written where a row stops: at the next decision of a seat that the kernel does not play itself. A
finished game is paid, its final observations are handed over and the row goes on with a new game.
"""

from __future__ import annotations

import numpy as np

from genesia_rl import bits, rng
from genesia_rl.contract import LEARNER, MAX_SEATS, RANDOM_PLAYER, SEAT_RANDOM, SEAT_ROTATING
from genesia_rl.games.genesia.actions import NUM_ACTIONS
from genesia_rl.games.genesia.entries import put_result, put_view, random_step
from genesia_rl.games.genesia.names import PART_OBJECTIVE
from genesia_rl.games.genesia.observe import observe
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats, seat_after
from genesia_rl.games.genesia.rules.scoring import put_scores
from genesia_rl.jit import entry, kernel
from genesia_rl.rewards import is_due, potential, put_rewards

# ---------------------------------------------------------------- beginning and ending a game


@kernel
def seat_learner(g, settings, seats):
    """Which seat the learner has in the next game, and who plays the others."""
    if settings["seating"] == SEAT_ROTATING:
        g["learner"] = (g["learner"] + 1) % seats
    elif settings["seating"] == SEAT_RANDOM:
        g["learner"] = rng.below(rng.mix(g["seed"] + rng.GOLDEN), seats)
    for k in range(seats):
        g["controller"][seat_after(np.int64(g["learner"]), k, seats)] = g["lineup"][k]


@kernel
def begin_game(states, i, tables, games, settings):
    """A new game in the row, from the row's seed."""
    g = games[i]
    rules.reset(states, i, tables, g["seed"])
    g["stream"] = rules.policy_stream(g["seed"])
    seat_learner(g, settings, num_seats(tables[0]))
    g["length"] = 0
    for seat in range(num_seats(tables[0])):
        g["order"][seat] = states[i]["order"][seat]
        g["sum"][seat] = 0
        g["potential"][seat] = 0  # everybody begins with nothing, so that all margins are 0


@kernel
def shape(states, i, tables, games, settings):
    """The reward of shaping for the step that led here."""
    s, t, g = states[i], tables[0], games[i]
    totals = g["scratch_totals"]
    put_scores(s, t, g["scratch_parts"], totals)
    for seat in range(num_seats(t)):  # what is public of them
        totals[seat] -= g["scratch_parts"][seat, PART_OBJECTIVE]
    for seat in range(num_seats(t)):
        if not is_due(settings, s["seat"], s["over"], seat):
            continue
        now = 0.0 if s["over"] else potential(settings, totals, seat)
        g["reward"][seat] += settings["shaping"] * (settings["gamma"] * now - g["potential"][seat])
        g["potential"][seat] = now


@kernel
def end_game(states, i, tables, games, settings, final_observation, results):
    """Pay, hand over the last observation of every seat and the result, and choose the next seed."""
    g = games[i]
    put_result(states, i, tables, results, i)
    for place in range(num_seats(tables[0])):
        results[i]["order"][place] = g["order"][place]
    put_rewards(settings, results[i]["totals"], results[i]["places"], g["reward"])
    for seat in range(num_seats(tables[0])):
        observe(states[i], tables[0], seat, final_observation[i, seat])
        g["final_reward"][seat] = g["reward"][seat]
        g["final_sum"][seat] = g["sum"][seat] + g["reward"][seat]
    g["done"] = 1
    g["final_length"] = g["length"]
    g["final_learner"] = g["learner"]
    g["final_seed"] = g["seed"]
    g["episode"] += 1
    g["seed"] = rng.mix(g["seed"] + rng.GOLDEN)


# ---------------------------------------------------------------- stepping


@kernel
def run_on(states, i, tables, games, settings, mask, observation, final_observation, results):
    """Go on to the next decision of a seat that the kernel does not play, and write its view."""
    s, g = states[i], games[i]
    while True:
        if s["over"]:
            end_game(states, i, tables, games, settings, final_observation, results)
            begin_game(states, i, tables, games, settings)
        elif g["controller"][s["seat"]] == RANDOM_PLAYER:
            random_step(states, i, tables, g["stream"])
            g["stream"] = rng.advance(g["stream"])
            if settings["shaping"] != 0:
                shape(states, i, tables, games, settings)
        else:
            break
    if g["done"]:  # what the new game has paid before its first stop belongs to no decision
        for seat in range(num_seats(tables[0])):
            g["reward"][seat] = g["final_reward"][seat]
    g["seat"] = s["seat"]
    g["kind"] = s["kind"]
    put_view(states, i, tables, np.int64(s["seat"]), mask[i], observation[i])


@kernel
def absolute(states, i, tables, action):
    """A legal action of the acting seat's numbering as an absolute one, -1 if it is not legal."""
    if action < 0 or action >= NUM_ACTIONS:
        return np.int64(-1)
    found = np.int64(tables[0]["action_from_view"][states[i]["seat"], action])
    return found if bits.has(states[i]["legal"], found) else np.int64(-1)


@entry
def start_rows(states, tables, games, rows, settings, mask, observation, final_observation, results):
    """Begin a game in each of the rows, from its seed, and go on to its first stop."""
    for k in range(rows.shape[0]):
        i = rows[k]
        begin_game(states, i, tables, games, settings[0])
        run_on(states, i, tables, games, settings[0], mask, observation, final_observation, results)


@kernel
def first_illegal(states, tables, rows, actions):
    """The place of the first action that is not legal, -1 if all are."""
    for k in range(rows.shape[0]):
        if absolute(states, rows[k], tables, actions[k]) < 0:
            return k
    return -1


@entry
def check_rows(states, tables, rows, actions):
    """`first_illegal` for Python."""
    return first_illegal(states, tables, rows, actions)


@entry
def step_rows(states, tables, games, rows, actions, settings, mask, observation, final_observation, results):
    """One action for each of the rows, in the acting seat's numbering, and on to the next stop.

    Rewards are added to the row's; all actions are checked first. Returns -1, or the place of the
    first action that is not legal, and then nothing has been done.
    """
    bad = first_illegal(states, tables, rows, actions)
    if bad >= 0:
        return bad
    for k in range(rows.shape[0]):
        i = rows[k]
        g = games[i]
        g["length"] += g["controller"][states[i]["seat"]] == LEARNER
        rules.step(states, i, tables, absolute(states, i, tables, actions[k]))
        if settings[0]["shaping"] != 0:
            shape(states, i, tables, games, settings[0])
        run_on(states, i, tables, games, settings[0], mask, observation, final_observation, results)
    return -1


@entry
def open_step(games):
    """Before a step: what was paid and finished in the last one has been seen."""
    for i in range(games.shape[0]):
        g = games[i]
        for seat in range(MAX_SEATS):
            if not g["done"]:
                g["sum"][seat] += g["reward"][seat]
            g["reward"][seat] = 0
        g["done"] = 0


@entry
def random_rows(states, rows, streams, tables, actions):
    """A random legal action for each of the rows, in the acting seat's numbering; streams go on."""
    for k in range(rows.shape[0]):
        i = rows[k]
        output = rng.mix(streams[k])
        streams[k] = rng.advance(streams[k])
        action = rules.random_action(states, i, output)
        actions[k] = tables[0]["action_to_view"][states[i]["seat"], action]
