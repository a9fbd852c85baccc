"""Every figure of the laboratory against a slow count, game by game, from its definition."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol, TypeVar

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from games.genesia.lab import recount as slow
from games.genesia.lab.lab_games import NAMED, cells, pool, rows_of, self_play, varied
from games.genesia.lab.recount import Figure, Game, same

from genesia_rl.games.genesia.lab import LAB
from genesia_rl.games.genesia.lab.cards import CARDS, could_replace
from genesia_rl.games.genesia.lab.objectives import OBJECTIVES
from genesia_rl.lab.difference import Difference
from genesia_rl.lab.first import Choosing, FirstPlayer
from genesia_rl.lab.fit import FEWEST_BLOCKS
from genesia_rl.lab.items import Held, Picked, numbers_of
from genesia_rl.lab.offers import Offers
from genesia_rl.lab.restricted import Restricted
from genesia_rl.lab.traits import traits_of
from genesia_rl.lab.varied import Varied
from genesia_rl.matches.entrant import Entrant
from genesia_rl.matches.games import Games, Table
from genesia_rl.matches.seating import one_against
from genesia_rl.matches.series import Series
from genesia_rl.stats.shrink import shrink

SIZE = 240
PLAYERS = (2, 3)
AGES = range(3)
NUMBERS = numbers_of(CARDS)
#: In the order of the recount, which is ours.
TRAITS = ("score", "decisions", "assaults", "lead changes", "winner's lead", "first player's edge")


@cache
def table(players: int) -> Table:
    """Some games of random play; the scores of every fifth are equal, so that places are shared too."""
    found = dict(pool("random", players, SIZE, 3))
    found["ranks"], found["totals"] = found["ranks"].copy(), found["totals"].copy()
    found["ranks"][::5], found["totals"][::5] = 0, found["totals"][::5, :1]
    return found


class Analysis(Protocol):
    """Whatever is fed with games."""

    def add(self, games: Games) -> None: ...


Fed = TypeVar("Fed", bound=Analysis)


def added(analysis: Fed, held: Table) -> Fed:
    """In two parts, as if from two shards."""
    middle = len(held["block"]) // 2
    for rows in (slice(0, middle), slice(middle, None)):
        analysis.add(Games({name: values[rows] for name, values in held.items()}, LAB))
    return analysis


def each(games: list[Game], values: Iterable[float]) -> Figure:
    """A figure with a value in each of the games."""
    return [(game["block"], float(value), 1.0) for game, value in zip(games, values, strict=True)]


@pytest.mark.parametrize("players", PLAYERS)
def test_places_and_seats(players: int) -> None:
    first, games = added(FirstPlayer(players, LAB), table(players)), slow.games_of(table(players))
    assert any(len(set(game["ranks"])) == 1 for game in games), "no game was shared"
    for place in range(players):
        for k in range(3):
            for age in AGES:
                values = [slow.outcomes(g, g["order"][age][place])[k] for g in games]
                same(first.places.get(age, place, k), each(games, values))
            same(first.seats.get(place, k), each(games, [slow.outcomes(g, place)[k] for g in games]))


@pytest.mark.parametrize("players", PLAYERS)
def test_places_with_the_seat_taken_out(players: int) -> None:
    """The mean over seats of what a seat has in the games in which it has the place."""
    first, games = added(FirstPlayer(players, LAB), table(players)), slow.games_of(table(players))
    for age in AGES:
        for place in range(players):
            for k in range(3):
                means = []
                for seat in range(players):
                    mine = [slow.outcomes(g, seat)[k] for g in games if g["order"][age][place] == seat]
                    means.append(sum(mine) / len(mine))
                assert first.adjusted(age, place, k).value == pytest.approx(sum(means) / players)


@pytest.mark.parametrize("players", PLAYERS)
def test_who_chooses_first(players: int) -> None:
    choosing, games = added(Choosing(players, LAB), table(players)), slow.games_of(table(players))
    for age in range(2):
        for rank in range(players):
            for k in range(3):
                values = [slow.outcomes(g, g["choosers"][age][rank])[k] for g in games]
                same(choosing.turns.get(age, rank, k), each(games, values))
            taken = [g["order"][age + 1][rank] == g["choosers"][age][0] for g in games]
            assert choosing.taken.get(age, rank).value == pytest.approx(np.mean(taken))


@pytest.mark.parametrize("players", PLAYERS)
def test_lots(players: int) -> None:
    found, games = added(varied(players), table(players)), slow.games_of(table(players))
    for k in range(len(TRAITS)):
        same(found.overall.get(k), each(games, [slow.traits(g)[k] for g in games]))
        for age in AGES:
            for place, name in enumerate(found.names):
                mine = [g for g in games if slow.lots(g, cells(players), age) == name]
                same(found.by_stage.get(age, place, k), each(mine, [slow.traits(g)[k] for g in mine]))
    for triple, figures in list(found.played())[:20]:
        names = [found.names[place] for place in triple]
        mine = [g for g in games if [slow.lots(g, cells(players), age) for age in AGES] == names]
        assert mine
        same(figures.get(0), each(mine, [slow.traits(g)[0] for g in mine]))


def beyond(found: Varied, trait: int) -> float:
    """What combinations do besides the effects of their Ages, whose games are 28 figures: a deviation."""
    mean, squares, chance = found.overall.get(trait).value, [], []
    for triple, figures in found.played():
        one = figures.get(trait)
        if one.blocks >= FEWEST_BLOCKS:
            ages = [found.by_stage.get(age, place, trait).value - mean for age, place in enumerate(triple)]
            squares.append((one.value - mean - sum(ages)) ** 2)
            chance.append(one.se**2)
    freedom = len(squares) - 28
    return max(0.0, sum(squares) / freedom - float(np.mean(chance))) ** 0.5 if freedom > 0 else 0.0


def test_the_best_and_the_worst_lots_for_a_purpose() -> None:
    """Effects of the Ages drawn towards none and added up; the fairest has the edge nearest to none."""
    many = pool("random", 2, 700, 3)
    found, games = added(varied(2), many), slow.games_of(many)
    assert any(beyond(found, trait) for trait in range(len(TRAITS)))
    for trait, one in enumerate(traits_of(LAB)):
        sign, ranked = one.sign, found.ranked(trait)
        assert len(ranked) == 1000
        mean = found.overall.get(trait).value
        best = ranked[0]
        at = [found.names.index(name) for name in best.stages]
        value, plain, square = mean, mean, 0.0
        for age, place in enumerate(at):
            held = [found.by_stage.get(age, k, trait) for k in range(10)]
            drawn = shrink(np.array([e.value for e in held]), np.array([e.se for e in held]))
            assert abs(drawn.values[place] - drawn.mean) < abs(held[place].value - drawn.mean)
            value += drawn.values[place] - drawn.mean
            plain += held[place].value - mean
            square += drawn.errors[place] ** 2
        square += beyond(found, trait) ** 2
        played = [cell for cell in cells(2) if list(cell) == at]
        assert best.games == (0 if not played else sum(g["cell"] == cells(2).index(played[0]) for g in games))
        half = 1.96 * np.sqrt(square)
        ends = [max(0.0, at) if one.never_below_0 else at for at in (value - half, value + half)]
        assert (best.value, best.low, best.high) == pytest.approx((value, *ends))
        if sign:
            assert sign * mean < sign * best.value < sign * plain, "nearer to the mean than as it was seen"
        goodness = [-abs(c.value) if sign == 0 else sign * c.value for c in ranked]
        assert goodness[0] == max(goodness) and goodness[-1] == min(goodness)


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_held(players: int) -> None:
    held, games = added(Held(CARDS), table(players)), slow.games_of(table(players))
    for card in NUMBERS:
        mine = [g for g in games if card in slow.holders(g)]
        for k, count in enumerate((slow.wins_oftener, slow.ahead)):
            same(held.effect(card, k), each(mine, [count(g, slow.holders(g)[card]) for g in mine]))
        value = [slow.won(g, slow.holders(g)[card]) for g in mine]
        estimate = held.won.get(card)
        assert estimate.games == len(mine) and (not mine or estimate.value == pytest.approx(np.mean(value)))


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_picked_kept_and_played(players: int) -> None:
    picked, games = added(Picked(CARDS), table(players)), slow.games_of(table(players))
    offered: dict[tuple[int, int], list[bool]] = {}
    for game in games:
        for card, pick, kept in slow.offers(game):
            offered.setdefault((card, pick), []).append(kept)
    for card in NUMBERS:
        for pick in range(5):
            there = offered.get((card, pick), [])
            estimate = picked.rates.get(card, pick)
            assert estimate.games == len(there)
            assert not there or estimate.value == pytest.approx(np.mean(there))
        dealt = [card in slow.holders(g) for g in games if card in slow.dealt(g)]
        held = [slow.played(g, card) for g in games if card in slow.holders(g)]
        for estimate, count in ((picked.kept.get(card), dealt), (picked.used.get(card), held)):
            assert estimate.games == len(count)
            assert not count or estimate.value == pytest.approx(np.mean(count))


def test_a_pack_of_six_has_a_card_that_nobody_keeps_and_the_first_pick_is_one_of_six() -> None:
    """What random play has to give: a sixth of the cards is cut, and each pick is as good as another."""
    picked = added(Picked(CARDS), table(2))
    for pick in range(5):
        kept, offered = (
            sum(f(picked.rates.get(card, pick)) for card in NUMBERS if picked.rates.get(card, pick).games)
            for f in (lambda e: e.value * e.games, lambda e: e.games)
        )
        assert kept / offered == pytest.approx(1 / (6 - pick))
    kept, dealt = (sum(f(picked.kept.get(c)) for c in NUMBERS if picked.kept.get(c).games)
                   for f in (lambda e: e.value * e.games, lambda e: e.games))  # fmt: skip
    assert kept / dealt == pytest.approx(5 / 6)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_cards_do_to_their_holders_adds_up_to_nothing(players: int) -> None:
    held = added(Held(CARDS), table(players))
    for k in range(2):
        effects = [held.effect(card, k) for card in NUMBERS]
        total = sum(e.value * e.games for e in effects if e.games)
        assert total == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("players", PLAYERS)
def test_objectives(players: int) -> None:
    found, games = added(Offers(OBJECTIVES), table(players)), slow.games_of(table(players))
    at = [(g, seat) for g in games for seat in range(players)]
    for number in range(1, OBJECTIVES.most + 1):
        dealt = [(g, seat) for g, seat in at if number in g["dealt"][seat]]
        kept = [(g, seat) for g, seat in at if g["kept"][seat] == number]
        assert bool(dealt) == bool(kept) == (number <= 10), "11 and 12 are black: extra objectives"
        edges = [
            [(g["block"], slow.won(g, seat) - 1 / players, 1.0) for g, seat in held] for held in (dealt, kept)
        ]
        same(found.won_dealt.get(number), edges[0])
        same(found.won_kept.get(number), edges[1])
        points = [(g["block"], g["parts"][seat][slow.OBJECTIVE], 1.0) for g, seat in kept]
        same(found.points.get(number), points)
        brought = [(g["block"], g["parts"][seat][slow.OBJECTIVE] * (g["kept"][seat] == number), 1.0)
                   for g, seat in dealt]  # fmt: skip
        same(found.points_dealt.get(number), brought)
        keeps = [(g["block"], float(g["kept"][seat] == number), 1.0) for g, seat in dealt]
        same(found.keeps.get(number), keeps)


def against(one: Entrant, players: int, blocks: int, seed: int = 5) -> Table:
    """One against copies of random, every deal from every seat."""
    pair = one, Entrant("random")
    series = Series(
        "genesia",
        pair,
        tuple(one_against(players)),
        blocks,
        seed,
        {"players": players},
        10,
        shard_blocks=blocks,
    )
    return series.run(0)["games"]


def test_who_plays_without() -> None:
    held = against(Entrant("random", ("war",)), 3, 60)
    found, games = Restricted(), slow.games_of(held)
    found.add(Games(held, LAB))
    assert len(games) == 180

    def seat(g: Game) -> int:
        return int(g["entrants"].index(0))

    assert sorted(seat(g) for g in games[:3]) == [0, 1, 2]
    assert all(sum(g["wars"][age][seat(g)] for age in AGES) == 0 for g in games)
    same(found.won.get(0), each(games, [slow.won(g, seat(g)) for g in games]))
    same(found.points.get(0), each(games, [slow.ahead(g, seat(g)) for g in games]))


def test_differences() -> None:
    """A and B with other cards kept, so that holders differ."""
    a, b = (dict(rows_of(table(2), np.arange(SIZE))) for _ in range(2))
    order = np.random.default_rng(2).permutation(SIZE)
    b |= {name: b[name][order] for name in ("totals", "ranks", "order", "steps", "played", "picks", "packs")}
    seats = np.where(np.arange(SIZE)[:, None] % 2, [[0, 1]], [[1, 0]])
    b["picks"][::2] = a["picks"][::2]
    b["totals"] = np.take_along_axis(b["totals"], seats, axis=1)
    found = Difference(2, LAB, {"blind_drafts"})
    found.add(Games(a, LAB), Games(b, LAB))
    pairs = list(zip(slow.games_of(a), slow.games_of(b), strict=True))

    def figure(values: Iterable[float]) -> Figure:
        return each([x for x, _ in pairs], values)

    for k in range(len(TRAITS)):
        same(found.traits.get(0, k), figure(slow.traits(x)[k] for x, _ in pairs))
        same(found.trait(TRAITS[k]), figure(slow.traits(y)[k] - slow.traits(x)[k] for x, y in pairs))
    for age in AGES:
        for place in range(2):
            first = [[(game, game["order"][age][place]) for game in pair] for pair in pairs]
            same(found.places.get(age, place, 0), figure(slow.won(*y) - slow.won(*x) for x, y in first))
            scores = [y["totals"][there] - x["totals"][here] for (x, here), (y, there) in first]
            same(found.places.get(age, place, 1), figure(scores))
    seen = 0
    for card in NUMBERS:
        both = [(x, y, slow.holders(x).get(card), slow.holders(y).get(card)) for x, y in pairs]
        mine = [(x, y, one) for x, y, one, other in both if one is not None and one == other]
        for k, count in enumerate((slow.won, slow.ahead)):
            gains = [count(y, seat) - count(x, seat) for x, y, seat in mine]
            same(found.items["cards"].holders.get(card, k), each([x for x, _, _ in mine], gains))
        seen += found.items["cards"].holders.get(card, 0).games
        for which, side in enumerate((0, 1)):
            games = [pair[side] for pair in pairs]
            dealt = [card in slow.holders(g) for g in games if card in slow.dealt(g)]
            held = [slow.played(g, card) for g in games if card in slow.holders(g)]
            for column, cases in enumerate((dealt, held)):
                estimate = found.items["cards"].shares.get(which, card, column)
                assert estimate.games == len(cases)
                assert not cases or estimate.value == pytest.approx(np.mean(cases))
    assert 0 < seen < sum(len(slow.holders(x)) for x, _ in pairs), "holders were all the same, or all others"


def test_a_card_can_replace_another_whenever_it_can_be_played_for_no_more_coins() -> None:
    pairs = [(a, b) for a in NUMBERS for b in NUMBERS if a != b and could_replace(NAMED[b], NAMED[a])]
    assert len(pairs) > 20
    for a, b in pairs:
        one, other = NAMED[a].data, NAMED[b].data
        assert one.age == other.age and one.timing == other.timing and other.cost <= one.cost
        assert all(icon in other.icons for icon in one.icons)


def test_pick_and_card_fields_of_self_play_with_promos_hold_promo_cards() -> None:
    held = self_play("random", 2, 40, 2, game={"promos": True}, blind_drafts=True).run(0)["games"]
    numbers = {card for game in slow.games_of(held) for card in slow.dealt(game)}
    promos = {number for number, card in NAMED.items() if card.cells["lot"] == "promo"}
    assert len(promos) == 9 and promos <= numbers
    assert all(len(slow.dealt(game)) == 36 for game in slow.games_of(held))
