"""Properties that hold in every game: a game is a configuration, a seed, and which legal action each time."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from env_tools import Told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genesia_rl.core import trace
from genesia_rl.core.bits import members
from genesia_rl.core.game import States
from genesia_rl.games.genesia.actions import EDGE_BASE
from genesia_rl.games.genesia.data.board import rotate_region
from genesia_rl.games.genesia.data.cards import Card, Term
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.names import AGES, COLOURS, PHASES
from genesia_rl.testing.strategies import Play, configs, plays, seeds


def examples(number: int) -> settings:
    """So many games, always the same ones on CI."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


SETTINGS = examples(25)
HEAVY = examples(12)
DRAFT = PHASES.index("draft")
SETUP = PHASES.index("setup")
POSITION = PHASES.index("position")

Config = dict[str, Any]


# ---------------------------------------------------------------- any configuration


@st.composite
def any_configs(draw: st.DrawFn) -> Config:
    """Any fields of RULES 3 together, the plainest first."""
    n = draw(st.integers(2, 5))
    found: Config = {"players": n}
    for flag in ("promos", "attack_recruiting"):
        found[flag] = draw(st.booleans())
    found["objectives"] = not draw(st.booleans())
    if found["objectives"]:
        found["extra_objectives"] = draw(st.sampled_from([False, True, [11], [12, 11]]))
        found["objective_pool"] = draw(st.sampled_from(["lots", "all"]))
    if draw(st.booleans()):
        found["lots"] = [draw(st.permutations(COLOURS))[:n] for _ in range(AGES)]
    if draw(st.booleans()):
        labels = draw(
            st.lists(st.integers(0, n - 1), min_size=n, max_size=n).filter(lambda x: len(set(x)) > 1)
        )
        found["teams"] = [[s for s in range(n) if labels[s] == label] for label in sorted(set(labels))]
    return found


GAMES = plays(config=st.one_of(configs(), any_configs()))


# ---------------------------------------------------------------- reading a state in plain Python


def moves(play: Play) -> Iterator[tuple[GenesiaGame, States, int]]:
    """What `Play.run` yields; a game of Genesia knows more than other games."""
    for game, states, action in play.run():
        assert isinstance(game, GenesiaGame)
        yield game, states, action


def seats_of(game: GenesiaGame) -> range:
    return range(game.num_seats)


def cards(states: States, field: str, seat: int) -> set[int]:
    """A seat's set of cards."""
    return set(members(states[0][field][seat]))


def dealt_now(game: GenesiaGame, states: States, age: int) -> list[int]:
    """The cards that were dealt for an Age."""
    return [int(c) for seat in seats_of(game) for c in states[0]["packs"][age, seat] if c]


def occupied(game: GenesiaGame, states: States) -> list[set[int]]:
    """The regions of each seat, from the public state; a clan that is crossing gives no presence."""
    public, crossing = game.state_dict(states, 0), crossing_region(states)
    found: list[set[int]] = [set() for _ in seats_of(game)]
    for region, by_seat in public["clans"].items():
        for seat, clans in enumerate(by_seat):
            if clans and (seat, int(region)) != crossing:
                found[seat].add(int(region))
    for region, owners in public["cities"].items():
        for seat in owners:
            found[seat].add(int(region))
    return found


def crossing_region(states: States) -> tuple[int, int]:
    """Who is crossing which region."""
    s = states[0]
    under_way = s["move_clans"] > 0 and s["move_at"] != s["move_from"]
    return (int(s["mover"]), int(s["move_at"])) if under_way else (-1, -1)


# ---------------------------------------------------------------- conservation


@SETTINGS
@given(GAMES)
def test_clans_and_cities_are_conserved(play: Play) -> None:
    for game, states, _ in moves(play):
        public, s = game.state_dict(states, 0), states[0]
        for seat in seats_of(game):
            clans = sum(by_seat[seat] for by_seat in public["clans"].values())
            cities = sum(seat in owners for owners in public["cities"].values())
            markers = len(cards(states, "marked", seat))
            assert (clans + public["supply"][seat] + markers, cities + s["city_supply"][seat]) == (30, 20)
            assert min(s["clan_supply"][seat], s["city_supply"][seat], s["coins"][seat]) >= 0
        assert game.check_state(states, 0) == []


@SETTINGS
@given(GAMES)
def test_outside_homelands_at_most_one_player_has_presence(play: Play) -> None:
    for game, states, _ in moves(play):
        present = Counter(r for regions in occupied(game, states) for r in regions)
        homelands = {16 * seat for seat in seats_of(game)}
        assert all(times == 1 or r in homelands for r, times in present.items())


@SETTINGS
@given(GAMES)
def test_every_card_of_the_age_is_in_exactly_one_place(play: Play) -> None:
    for game, states, _ in moves(play):
        s = states[0]
        if s["phase"] == SETUP:
            continue
        age = int(s["age"])
        dealt = dealt_now(game, states, age)
        places = Counter(
            card
            for seat in seats_of(game)
            for field in ("hand", "held", "played", "discarded")
            for card in cards(states, field, seat)
            if game.data.cards[card].age == age + 1
        )
        assert set(places) <= set(dealt) and set(places.values()) <= {1}
        unseen = len(dealt) - len(places)
        drafted = game.config.is_solo or s["phase"] == DRAFT
        assert unseen == (0 if drafted else game.num_seats)


@SETTINGS
@given(GAMES)
def test_no_card_of_another_age_is_in_a_hand_and_none_is_played_twice(play: Play) -> None:
    for game, states, _ in moves(play):
        played = [card for seat in seats_of(game) for card in cards(states, "played", seat)]
        assert len(set(played)) == len(played)
        for seat in seats_of(game):
            hand = cards(states, "hand", seat)
            assert {game.data.cards[card].age for card in hand} <= {int(states[0]["age"]) + 1}
            inventions = cards(states, "inventions", seat)
            assert all(game.data.cards[card].invention for card in inventions)
            copied = inventions - cards(states, "played", seat)
            assert copied <= set(played)


# ---------------------------------------------------------------- coins

COIN_EFFECTS = ("coins", "others_coins", "take", "host_coins")
QUIET_KINDS = ("losses", "siege", "occupy", "place", "found", "stance", "position", "objective", "draft")


def from_reserve(game: GenesiaGame, states: States, action: int, after: States) -> int | None:
    """How many coins come from the reserve by this action alone, -1 for each that is paid to it.

    None when the action is about the effects of a card, which are the business of the tests of cards.
    """
    s, kind = states[0], game.kind(states, 0)
    verb, _, number = game.action_text(action).partition(":")
    seat = game.seat(states, 0)
    if verb == "discard":
        return 4
    if verb == "region" and kind in ("growth", "expansion", "assault"):
        return -int(s["price"][seat]) if s["price_left"][seat] else -2
    if verb == "card" and kind != "draft":
        card = game.data.cards[int(number)]
        quiet = not any(effect.do in COIN_EFFECTS for effect in card.effects) and kind != "copy"
        return -card.cost if quiet else None
    if kind in ("expansion", "transit", "group") and verb in ("edge", "amount"):
        return price_of_step(game, states, action, after)
    return 0 if kind == "rob" or (kind in QUIET_KINDS and not s["card"]) else None


def price_of_step(game: GenesiaGame, states: States, action: int, after: States) -> int | None:
    """A coin for a step that no free move pays for.

    None when the clans are not where the step has led: a crossing went on by itself, as there was one way.
    """
    s, seat = states[0], game.seat(states, 0)
    if game.kind(states, 0) == "expansion" and is_group(game, states, action):
        return 0
    edge = action if game.kind(states, 0) != "group" else EDGE_BASE + int(s["move_edge"])
    region = end_of(game, edge)
    if after[0]["clans"][seat, region] <= s["clans"][seat, region]:
        return None
    return 0 if "small_turn" in tasks(states) or s["free_moves"][seat] else -1


def end_of(game: GenesiaGame, edge: int) -> int:
    """The region that an edge leads to."""
    return int(game.action_text(edge).rpartition("-")[2])


def tasks(states: States) -> list[str]:
    """What is to be finished before the turn goes on."""
    words = ("group", "transit", "effects", "small_turn", "window", "assault")
    return [words[t] for t in states[0]["tasks"][: states[0]["depth"]].tolist()]


def is_group(game: GenesiaGame, states: States, action: int) -> bool:
    """Will the size of a group be asked before the step is paid?"""
    seat, s = game.seat(states, 0), states[0]
    origin = int(game.action_text(action).removeprefix("edge:").split("-")[0])
    return bool((s["age"] == 2 or s["group_until"][seat]) and s["clans"][seat, origin] > 1)


def moment(states: States) -> tuple[int, bool, bool]:
    """Coins come from the reserve by themselves when an Age begins; an Age is known by this."""
    s = states[0]
    return int(s["age"]), s["phase"] == SETUP, bool(s["over"])


def steps(play: Play) -> Iterator[tuple[GenesiaGame, States, int, States]]:
    """Every step inside of an Age: the game, the state before, the action, the state after."""
    before, taken = None, -1
    for game, states, action in moves(play):
        if before is not None and moment(before) == moment(states):
            yield game, before, taken, states
        before, taken = game.clone(states), action


@SETTINGS
@given(GAMES)
def test_coins_come_from_the_reserve_and_go_to_it_as_the_rules_say(play: Play) -> None:
    """Tolls, raids and robberies pass coins on: they do not change the sum."""
    for game, before, action, after in steps(play):
        expected = from_reserve(game, before, action, after)
        gained = int(after[0]["coins"].sum() - before[0]["coins"].sum())
        assert expected in (None, gained), f"{game.kind(before, 0)} {game.action_text(action)}"


@SETTINGS
@given(GAMES)
def test_only_a_robbed_or_raided_player_pays_for_what_another_does(play: Play) -> None:
    for game, before, action, after in steps(play):
        losers = set(np.flatnonzero(after[0]["coins"] < before[0]["coins"]).tolist())
        if losers - {game.seat(before, 0)}:
            assert takes_from_others(game, before, action), f"{game.action_text(action)} costs {losers}"


def takes_from_others(game: GenesiaGame, states: States, action: int) -> bool:
    """May this action cost other players coins?"""
    kind = game.kind(states, 0)
    if kind in ("rob", "copy", "assault", "defence", "reinforce", "losses", "siege", "occupy", "stance"):
        return True
    verb, _, number = game.action_text(action).partition(":")
    running = [int(number)] if verb == "card" else [int(states[0]["card"])]
    return any(e.do == "take" for card in running if card for e in game.data.cards[card].effects)


# ---------------------------------------------------------------- rotation


def rotated_text(text: str, k: int, n: int) -> str:
    """An action after every seat has moved on by k."""
    verb, _, number = text.partition(":")
    if verb == "region":
        return f"region:{rotate_region(int(number), k, n)}"
    if verb == "seat":
        return f"seat:{(int(number) + k) % n}"
    if verb == "edge":
        a, b = number.split("-")
        return f"edge:{rotate_region(int(a), k, n)}-{rotate_region(int(b), k, n)}"
    return text


def moved_on(by_seat: list[Any] | None, k: int) -> list[Any] | None:
    """What belonged to seat s belongs to seat s + k."""
    return None if by_seat is None else [by_seat[(s - k) % len(by_seat)] for s in range(len(by_seat))]


def rotated_config(config: Config, k: int) -> Config:
    n = config["players"]
    teams = config["teams"]
    return {**config, "teams": teams and [[(s + k) % n for s in team] for team in teams]}


def rotated_deal(deal: dict[str, Any], k: int, n: int) -> dict[str, Any]:
    return {
        "turn_order": [(s + k) % n for s in deal["turn_order"]],
        "objectives": moved_on(deal["objectives"], k),
        "packs": [moved_on(packs, k) for packs in deal["packs"]],
    }


def rotated_public(public: dict[str, Any], k: int, n: int) -> dict[str, Any]:
    return {
        "coins": moved_on(public["coins"], k),
        "supply": moved_on(public["supply"], k),
        "clans": {str(rotate_region(int(r), k, n)): moved_on(c, k) for r, c in public["clans"].items()},
        "cities": {
            str(rotate_region(int(r), k, n)): sorted((s + k) % n for s in owners)
            for r, owners in public["cities"].items()
        },
    }


def rotated_result(result: dict[str, Any], k: int, n: int) -> dict[str, Any]:
    turned = {key: moved_on(value, k) for key, value in result.items() if isinstance(value, list)}
    winners = sorted((s + k) % n for s in result["winners"])
    return {**result, **turned, "winners": winners}


def test_positions_are_rotated_as_they_should_be() -> None:
    assert rotated_text("edge:0-1", 1, 2) == "edge:16-17"
    assert rotated_text("seat:1", 1, 2) == "seat:0" and rotated_text("card:3", 1, 2) == "card:3"
    assert moved_on(["a", "b", "c"], 1) == ["c", "a", "b"]


@HEAVY
@given(GAMES, st.integers(1, 4))
def test_rotating_all_seats_rotates_the_whole_game(play: Play, by: int) -> None:
    game = play.game()
    assert isinstance(game, GenesiaGame)
    n = game.num_seats
    k = 1 + by % (n - 1) if n > 2 else 1
    turned = GenesiaGame(type(game.config).from_dict(rotated_config(game.config_dict(), k)))
    others = turned.new_states()
    for number, (_, states, action) in enumerate(play.run(game)):
        if number == 0:
            turned.put_deal(others, 0, rotated_deal(game.deal_dict(states, 0), k, n))
        assert turned.state_dict(others, 0) == rotated_public(game.state_dict(states, 0), k, n)
        if number % 10 == 0:
            check_views_rotated(game, states, turned, others, k)
        if action < 0:
            break
        assert turned.seat(others, 0) == (game.seat(states, 0) + k) % n
        assert turned.kind(others, 0) == game.kind(states, 0)
        legal = game.texts(game.legal_actions(states, 0))
        assert turned.texts(turned.legal_actions(others, 0)) == sorted(rotated_text(x, k, n) for x in legal)
        turned.step(others, 0, turned.parse_action(rotated_text(game.action_text(action), k, n)))
    assert turned.result_dict(others, 0) == rotated_result(game.result_dict(states, 0), k, n)


def check_views_rotated(
    game: GenesiaGame, states: States, turned: GenesiaGame, others: States, k: int
) -> None:
    """What a seat sees does not depend on where it sits."""
    for seat in seats_of(game):
        mine = game.view(states, 0, seat)
        theirs = turned.view(others, 0, (seat + k) % game.num_seats)
        assert np.array_equal(mine[0], theirs[0])
        differ = [p.name for p in game.pieces if (mine[1] != theirs[1])[p.start : p.stop].any()]
        assert differ == []


# ---------------------------------------------------------------- copies, traces, ends


@HEAVY
@given(GAMES)
def test_clones_share_nothing(play: Play) -> None:
    kept: list[tuple[States, bytes]] = []
    for number, (game, states, _) in enumerate(moves(play)):
        if number % 15 == 0:
            clone = game.clone(states)
            kept.append((clone, clone.tobytes()))
            assert clone.tobytes() == states.tobytes()
    same = play.game()
    for clone, before in kept:
        assert clone.tobytes() == before
        rng = np.random.default_rng(1)
        untouched = states.tobytes()
        while not same.is_over(clone, 0):
            same.step(clone, 0, int(rng.choice(same.legal_actions(clone, 0))))
        assert states.tobytes() == untouched


@HEAVY
@given(GAMES)
def test_traces_round_trip(play: Play) -> None:
    taken = [action for _, _, action in moves(play)]
    actions = iter(taken)
    game = play.game()
    written = trace.record(game, Told(lambda g, s: next(actions)), play.seed, legal=True, with_states=True)
    assert len(written["steps"]) == len(taken) - 1
    read = json.loads(trace.to_line(written))
    assert read == written
    verdict = trace.verify({key: value for key, value in read.items() if key != "seed"})
    assert verdict.differences == [] and verdict.decisions == len(taken) - 1


@SETTINGS
@given(GAMES)
def test_games_end_well_before_the_limit(play: Play) -> None:
    decisions = 0
    for game, states, action in moves(play):
        assert (action < 0) == game.is_over(states, 0)
        decisions += 1
    assert decisions < game.max_decisions // 10


# ---------------------------------------------------------------- a slow recount of the score


class Recount:
    """RULES 2, 6, 7 and 8 in plain Python, from the public state and the cards of the data files."""

    def __init__(self, game: GenesiaGame, states: States) -> None:
        self.game, self.states, self.n = game, states, game.num_seats
        self.public = game.state_dict(states, 0)
        self.regions = occupied(game, states)

    def value(self, region: int) -> int:
        """RULES 2: five rings of three on a continent; then sevens, twelves, the centre."""
        n = self.n
        if region < 16 * n:
            return (region % 16 + 2) // 3
        return 7 if region < 18 * n else 12 if region < 19 * n else 15

    def continent(self, region: int) -> int | None:
        return region // 16 if region < 16 * self.n else None

    def foreign(self, seat: int) -> list[int]:
        return [r for r in self.regions[seat] if self.continent(r) not in (seat, None)]

    def clans(self, seat: int) -> list[int]:
        return [by_seat[seat] for by_seat in self.public["clans"].values()]

    def cities(self, seat: int) -> list[int]:
        return [int(r) for r, owners in self.public["cities"].items() if seat in owners]

    def radiance(self, seat: int) -> int:
        return 2 * len(self.foreign(seat))

    def conquest(self, seat: int) -> int:
        return sum(map(self.value, self.regions[seat]))

    def count(self, seat: int, per: str) -> int:
        """What the objectives count."""
        family, _, number = per.rpartition("_")
        if family == "stacks":
            return sum(clans >= int(number) for clans in self.clans(seat))
        if family == "regions_value":
            return sum(self.value(r) >= int(number) for r in self.regions[seat])
        if family == "most":
            amounts = [self.amount(s, number) for s in range(self.n)]
            return int(all(amounts[seat] > a for s, a in enumerate(amounts) if s != seat))
        own = self.regions[seat]
        simple = {
            "inventions": lambda: len(cards(self.states, "inventions", seat)),
            "city_pairs": lambda: self.pairs(frozenset(self.cities(seat))),
            "cities": lambda: len(self.cities(seat)),
            "clans": lambda: sum(self.clans(seat)),
            "singles": lambda: self.clans(seat).count(1),
            "regions_own": lambda: sum(self.continent(r) == seat for r in own),
            "regions_foreign": lambda: len(self.foreign(seat)),
            "regions_island": lambda: sum(self.continent(r) is None for r in own),
            "continents": lambda: len({self.continent(r) for r in self.foreign(seat)}),
            "conquests": lambda: int(self.states[0]["conquests"][seat]),
        }
        return simple[per]()

    def amount(self, seat: int, what: str) -> int:
        if what == "clans":
            return sum(self.clans(seat))
        return len(self.cities(seat)) if what == "cities" else len(self.regions[seat])

    def pairs(self, regions: frozenset[int]) -> int:
        """The most disjoint pairs: the first region stays alone or is paired with a neighbour."""
        if len(regions) < 2:
            return 0
        first = min(regions)
        rest = regions - {first}
        near = rest & set(self.game.board.neighbours[first])
        if not near:
            return self.pairs(rest)
        best = self.pairs(rest) if len(near) > 1 else 0
        return max([best, *(1 + self.pairs(rest - {other}) for other in near)])

    def term(self, seat: int, term: Term) -> int:
        points = term.n * (self.count(seat, term.per) // term.div)
        return points if term.cap is None else min(points, term.cap)

    def objective(self, seat: int) -> int:
        kept = int(self.states[0]["kept"][seat])
        if not kept:
            return 0
        objective = self.game.data.objectives[kept]
        if objective.need and self.count(seat, objective.need[0]) < objective.need[1]:
            return 0
        return sum(self.term(seat, term) for term in objective.terms)

    def winners(self, totals: list[int], objective: list[int], progress: list[int]) -> list[int]:
        keys = list(zip(totals, objective, progress, strict=True))
        teams = self.game.config.teams or [(s,) for s in range(self.n)]
        of_team = {s: min(keys[m] for m in team) for team in teams for s in team}
        return [s for s in range(self.n) if of_team[s] == max(of_team.values())]


@HEAVY
@given(GAMES)
def test_scores_equal_a_slow_recount(play: Play) -> None:
    for number, (game, states, action) in enumerate(moves(play)):
        if action >= 0 and (number % 20 or game.kind(states, 0) == "transit"):
            continue
        recount, scores = Recount(game, states), game.scores(states, 0)
        for seat in seats_of(game):
            progress = sum(states[0]["progress"][seat].tolist())
            parts = [progress, recount.radiance(seat), recount.conquest(seat), recount.objective(seat)]
            assert scores.parts[seat].tolist() == parts
            assert scores.totals[seat] == sum(parts)
    result = game.result_dict(states, 0)
    progress = [sum(ages) for ages in result["progress"]]
    if game.config.is_solo:
        assert result["winners"] == [] and result["solo_score"] == min(result["score"])
    else:
        assert result["winners"] == recount.winners(result["score"], result["objective"], progress)


@SETTINGS
@given(GAMES)
def test_the_progress_of_an_age_is_its_end_cards_and_the_inventions_so_far(play: Play) -> None:
    """Inventions count exactly; what End cards bring is bounded by their caps, or by 30 x n without."""
    for game, states, _ in moves(play):
        for seat in seats_of(game):
            mine = [game.data.cards[c] for c in cards(states, "inventions", seat)]
            for age in range(AGES):
                least = sum(card.invention for card in mine if card.age <= age + 1)
                least = least if is_done(states, age) else 0
                most = least + (most_scored(game, age) if age <= states[0]["age"] else 0)
                assert least <= states[0]["progress"][seat, age] <= most


def is_done(states: States, age: int) -> bool:
    """Has the progress of this Age been counted?"""
    s = states[0]
    return bool(s["over"] or age < s["age"] or (age == s["age"] and s["phase"] == POSITION))


def most_scored(game: GenesiaGame, age: int) -> int:
    """More than the End cards of an Age can bring."""

    def most(card: Card) -> int:
        return sum(e.cap if e.cap is not None else 30 * e.n for e in card.effects if e.do == "score")

    return sum(most(card) for card in game.data.cards.values() if card.age == age + 1)


# ---------------------------------------------------------------- what a seat cannot see


def knowledge(game: GenesiaGame, states: States, seat: int) -> dict[str, Any]:
    """All that a seat has seen of the cards and objectives, by RULES 9."""
    s = states[0]
    return {
        "own": [s[f][seat].tolist() for f in ("hand", "discarded", "picks", "held", "seen", "dealt", "kept")],
        "packs": packs_seen(game, states, seat),
        "public": [
            s[f].tolist()
            for f in ("played", "inventions", "marked", "spent", "coins", "clans", "order", "progress")
        ],
        "counts": [[len(cards(states, f, o)) for f in ("hand", "discarded")] for o in seats_of(game)],
    }


def packs_seen(game: GenesiaGame, states: States, seat: int) -> list[set[int]]:
    """The packs that the seat has held in this Age, as sets, in the order of the rounds."""
    return [held[seat] for held in packs_held(game, states)]


def packs_held(game: GenesiaGame, states: States) -> list[list[set[int]]]:
    """By round of the draft the pack that every seat held, worked out from the packs and the picks."""
    s, n = states[0], game.num_seats
    if game.config.is_solo or s["phase"] == SETUP or (not s["picks"][:n].any() and s["phase"] != DRAFT):
        return []
    age = int(s["age"])
    held = [set(s["packs"][age, seat].tolist()) for seat in range(n)]
    rounds = [held]
    for rnd in range(int(s["pick"]) if s["phase"] == DRAFT else 4):
        picks = s["picks"][:n, rnd].tolist()
        assert all(pick in pack for pick, pack in zip(picks, held, strict=True))
        left = [pack - {pick} for pick, pack in zip(picks, held, strict=True)]
        to = -1 if age == 1 else 1
        held = [left[(seat - to) % n] for seat in range(n)]
        rounds.append(held)
    return rounds


def check_consistent(game: GenesiaGame, states: States) -> None:
    """A game that could have been: every card is where the draft and the play have put it."""
    s, n = states[0], game.num_seats
    assert game.check_state(states, 0) == []
    for age in range(AGES):
        dealt = dealt_now(game, states, age)
        assert len(set(dealt)) == len(dealt) == n * game.tables[0]["hand_size"][age]
        assert set(dealt) <= set(game.tables[0]["deck"][age].tolist())
    kept = [k for k in s["kept"][:n].tolist() if k]
    assert len(set(kept)) == len(kept)
    for seat in range(n):
        assert not s["kept"][seat] or s["kept"][seat] in s["dealt"][seat]
    if packs_held(game, states):
        for seat in range(n):
            check_draft(game, states, seat)


def check_draft(game: GenesiaGame, states: States, seat: int) -> None:
    """A seat's cards are its picks; it has seen the packs it has held."""
    picks = {pick for pick in states[0]["picks"][seat].tolist() if pick}
    age = int(states[0]["age"]) + 1
    mine = {c for f in ("hand", "played", "discarded") for c in cards(states, f, seat)
            if game.data.cards[c].age == age}  # fmt: skip
    assert picks == mine
    held = packs_seen(game, states, seat)
    sights = [set(members(words)) for words in states[0]["seen"][seat]]
    assert sights == [*held, *(set[int]() for _ in range(5 - len(held)))]


@HEAVY
@given(GAMES, seeds())
def test_a_resampled_game_keeps_all_that_the_seat_knows_and_could_have_been(play: Play, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for number, (game, states, _) in enumerate(moves(play)):
        check_consistent(game, states)
        if (number + seed) % 5:
            continue
        for seat in seats_of(game):
            other = game.resample_hidden(states, 0, seat, rng)
            check_consistent(game, other)
            assert knowledge(game, other, seat) == knowledge(game, states, seat)
            for mine, theirs in zip(game.view(states, 0, seat), game.view(other, 0, seat), strict=True):
                assert np.array_equal(mine, theirs)
            header = ("seat", "kind", "over", "steps")
            assert all(other[0][f] == states[0][f] for f in header)


@HEAVY
@given(GAMES, seeds())
def test_a_resampled_game_can_be_played_to_its_end(play: Play, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for number, (game, states, _) in enumerate(moves(play)):
        if number % 25 != seed % 25 or game.is_over(states, 0):
            continue
        other = game.resample_hidden(states, 0, int(rng.integers(game.num_seats)), rng)
        while not game.is_over(other, 0):
            game.step(other, 0, int(rng.choice(game.legal_actions(other, 0))))
            assert game.check_state(other, 0) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_a_seat_cannot_see_differs_between_resampled_games(players: int) -> None:
    """In the first Growth turn: others' hands, objectives, later packs; in the first stances: those."""
    game = Play("genesia", {"players": players}, 3, (), 0).game()
    assert isinstance(game, GenesiaGame)
    states, rng = game.new_states(), np.random.default_rng(0)
    game.reset(states, 0, 3)
    while game.kind(states, 0) != "growth":
        game.step(states, 0, int(rng.choice(game.legal_actions(states, 0))))
    drawn = [game.resample_hidden(states, 0, 0, rng)[0] for _ in range(60)]
    for field in ("hand", "kept", "dealt"):
        assert len({s[field][1].tobytes() for s in drawn}) > 1, field
    assert len({s["packs"][1:].tobytes() for s in drawn}) == 60
    while game.kind(states, 0) != "stance" or game.seat(states, 0) == states[0]["order"][0]:
        game.step(states, 0, game.legal_actions(states, 0)[0])
    first = int(states[0]["order"][0])
    seen_by = (first + 1) % players
    stances = {int(game.resample_hidden(states, 0, seen_by, rng)[0]["stance"][first]) for _ in range(60)}
    assert stances == {1, 2}
    assert {int(game.resample_hidden(states, 0, first, rng)[0]["stance"][first]) for _ in range(60)} == {
        int(states[0]["stance"][first])
    }
