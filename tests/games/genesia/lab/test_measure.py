"""The record of a game equals what the plain-Python referee sees in the same game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from games.genesia.lab.walk import differences, walk
from matches.playing import Recorder, games_of

from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.lab import LAB, cards
from genesia_rl.games.genesia.lab import wars as wars_of
from genesia_rl.games.genesia.lab.measure import MEASURE
from genesia_rl.games.genesia.names import MAX_SEATS
from genesia_rl.matches.games import Games, columns, unfolded
from genesia_rl.matches.play import play
from genesia_rl.players.codes import make_player

PACIFISM = 87  # forces the stance of who plays it
MODES: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "three": {"players": 3},
    "four": {"players": 4},
    "five": {"players": 5},
    "promos": {"players": 2, "promos": True},
    "teams": {"players": 4, "teams": [[0, 2], [1, 3]]},
    "uneven teams": {"players": 3, "teams": [[0, 2], [1]]},
    "attack recruiting": {"players": 3, "attack_recruiting": True},
    "no objectives": {"players": 2, "objectives": False},
    "all": {"players": 3, "promos": True, "extra_objectives": True, "attack_recruiting": True,
            "lots": [["red", "violet", "green"], ["blue", "red", "violet"], ["green", "yellow", "violet"]]},
}  # fmt: skip


def compared(fields: dict[str, Any], agents: str, count: int, first: int = 0) -> Counter[str]:
    """Play games, walk over each of them and compare; returns how often each kind of decision was forced."""
    game = make_game("genesia", **fields)
    log: dict[int, list[int]] = {}
    players = [Recorder(make_player(code), log) for code in agents.split(",")]
    match = games_of(game, count, len(players), first)
    measures = play(game, players, match).measures
    forced: Counter[str] = Counter()
    states = game.new_states()
    for row, measure in enumerate(measures):
        game.reset(states, 0, int(match.seeds[row]))
        deal = game.deal_dict(states, 0)
        said, heard = walk(game.config_dict(), deal, [game.action_text(action) for action in log[row]])
        assert differences(measure, said, game.num_seats) == [], f"seed {match.seeds[row]}"
        forced.update(kind for _, kind, _, alone in heard.answers if alone)
        for action in log[row]:
            game.step(states, 0, action)
        scores = game.scores(states, 0)
        for name, held in scores._asdict().items():
            assert (measure[name][: game.num_seats] == held).all()
    return forced


@pytest.mark.parametrize("mode", MODES)
def test_a_record_is_what_the_referee_sees(mode: str) -> None:
    forced = compared(MODES[mode], "random,greedy,warlord", 3)
    assert forced["position"] == 2 * 3, "the last to choose a place has no choice"
    assert forced["growth"] + forced["expansion"] + forced["end_of_age"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("agents", ["random", "greedy", "warlord", "random,scholar,warlord,greedy,trader"])
@pytest.mark.parametrize("mode", MODES)
def test_a_record_is_what_the_referee_sees_in_many_games(mode: str, agents: str) -> None:
    compared(MODES[mode], agents, 25, first=1000)


def test_forced_stances_are_rounds_too() -> None:
    decks = [list(range(1, 13)), list(range(31, 43)), [*range(61, 72), PACIFISM]]
    forced = compared({"players": 2, "decks": decks}, "random", 30)
    assert forced["stance"] > 0 and forced["assault"] > 0


def test_what_belongs_to_no_seat_is_empty_and_columns_fold_back() -> None:
    game = make_game("genesia", players=3)
    measures = play(game, [make_player("random")], games_of(game, 8)).measures
    table = columns(measures, 3, LAB)
    assert all(held.ndim <= 2 and len(held) == 8 for held in table.values())
    back = unfolded(table, 3, LAB)
    for name in MEASURE.names or ():
        held = measures[name]
        if (seat_axis := LAB.seat_axis(name)) is not None:
            axis = seat_axis + 1
            assert not held.take(range(3, MAX_SEATS), axis=axis).any()
            held = held.take(range(3), axis=axis)
        assert np.array_equal(back[name], held) and back[name].dtype == held.dtype


# ---------------------------------------------------------------- what follows from records


def played(players: int, count: int, **fields: Any) -> tuple[Games, Any]:
    game = make_game("genesia", players=players, **fields)
    match = games_of(game, count)
    measures = play(game, [make_player("random")], match).measures
    table = columns(measures, players, LAB) | {"block": np.arange(count) // 2, "seed": match.seeds}
    return Games(table, LAB), measures


def test_games_tell_who_held_picked_and_played_each_card() -> None:
    games, measures = played(3, 12)
    dealt_cards, kept_by, picks, played_cards = (
        count(games) for count in (cards.dealt, cards.holder, cards.pick, cards.played)
    )
    for g, m in enumerate(measures):
        dealt = {int(card) for card in m["packs"][:, :3].ravel()}
        assert set(np.flatnonzero(dealt_cards[g]).tolist()) == dealt and len(dealt) == 54
        holder, pick = {}, {}
        for age in range(3):
            for seat in range(3):
                for k, card in enumerate(m["picks"][age, seat].tolist()):
                    holder[card], pick[card] = seat, k
        assert len(holder) == 45
        for card in range(1, 100):
            assert kept_by[g, card] == holder.get(card, -1)
            assert picks[g, card] == pick.get(card, -1)
            assert not played_cards[g, card] or m["played"][card] == holder[card] + 1
    assert played_cards.any()


def test_games_tell_ranks_shares_margins_leads_and_places() -> None:
    games, measures = played(4, 40)
    wars = wars_of(games)
    for g, m in enumerate(measures):
        totals, places = m["totals"][:4].tolist(), m["ranks"][:4].tolist()
        winners = [seat for seat in range(4) if places[seat] == 0]
        for seat in range(4):
            assert games.won[g, seat] == (1 / len(winners) if seat in winners else 0)
            shared = places.count(places[seat])
            assert games.rank[g, seat] == np.mean([places[seat] + 1 + k for k in range(shared)])
            rest = [total for other, total in enumerate(totals) if other != seat]
            assert games.margin[g, seat] == pytest.approx(totals[seat] - np.mean(rest))
            for age in range(3):
                assert m["order"][age, games.place[g, age, seat]] == seat
                assert games.at_place(games["totals"], age)[g, games.place[g, age, seat]] == totals[seat]
        first, second = sorted(totals)[-1], sorted(totals)[-2]
        assert games.lead[g] == first - second
        assert wars[g] == m["assaults"].sum()
    sums = games.by_block(games.won[:, 0])
    assert np.array_equal(sums, games.won[:, 0].reshape(-1, 2).sum(axis=1))
