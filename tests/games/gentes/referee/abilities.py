"""Sources of actions, once-a-round abilities, and the order of an action (RULES 5 and 9, PROTOCOL 2)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from .actions import has_target, perform
from .asking import Asking, Decision, ask, ask_object, each, number, thing, verb
from .data import ANY, Effect
from .needs import lasting_of
from .scoring import take_bonus_tiles
from .state import State
from .track import put_hours

WILD = ("philosopher", "scribe", "navigator", "chronicler")


@dataclass(frozen=True)
class Act:
    """An action that a seat may take: what it is, and what its source says of it."""

    seat: int
    source: str  # tile:5, tax:1, home:4, use:2
    action: str
    amount: int  # the cost in coins
    hours: int
    symbol: str | None = None
    income: int = 0  # coins of a Tax Collector

    @property
    def spaces(self) -> int:
        """How many spaces the source itself takes."""
        return int(verb(self.source) == "tile")


# -------------------------------------------------------------------- sources


def sources_at_hand(state: State, seat: int) -> list[str]:
    """Every source that is there for the seat, possible or not."""
    found = [f"tile:{tile.number}" for tile in state.tiles if tile.number not in state.taken]
    locked = [1] if state.config["advanced"] else []  # for the whole game
    found += each("tax", (tax for tax in state.data.taxes if tax not in locked))
    for row, sides in state.data.rows.items():
        home = unused_home(state, seat, row, set())
        if home is not None and any(side["do"] == "action" for side in sides):
            found.append(f"home:{home}")
    for card in sorted(state.seats[seat].played):
        effect = state.card(card).once
        if effect is not None and effect["do"] == "action" and f"use:{card}" not in state.used:
            found.append(f"use:{card}")
    return found


def acts_of(state: State, seat: int, source: str) -> list[Act]:
    """The action of a source; the wild tile has four."""
    data, word, item = state.data, verb(source), number(source)
    if word == "tile":
        tile = data.tiles[item]
        act = Act(seat, source, tile.action, tile.coins, tile.hours, tile.symbol)
        wild = state.solo and tile.action == "navigator" and tile.symbol == ANY
        return [replace(act, action=action) for action in WILD] if wild else [act]
    if word == "tax":
        return [Act(seat, source, "tax", 0, data.taxes[item].hours, income=data.taxes[item].coins)]
    once = state.card(item).once if word == "use" else None
    sides = data.rows[data.homes[item].row] if word == "home" else (once,)
    effect = next(side for side in sides if side is not None and side["do"] == "action")
    return [Act(seat, source, effect["action"], effect["coins"], effect["hours"], effect.get("symbol"))]


def legal_sources(state: State, seat: int) -> dict[str, list[Act]]:
    """PROTOCOL 2: those whose action is possible with nothing chosen, the wild tile if one of its four is."""
    found = {}
    for source in sources_at_hand(state, seat):
        found[source] = [act for act in acts_of(state, seat, source) if possible(state, act, [])]
    return {source: acts for source, acts in found.items() if acts}


def unused_home(state: State, seat: int, row: int, without: set[str]) -> int | None:
    """The lowest own unused Home of the row, those named left out."""
    homes = [home for home in state.own_homes(seat) if state.data.homes[home].row == row]
    return next((h for h in homes if f"home:{h}" not in state.used | without), None)


# -------------------------------------------------------------------- abilities


def each_time(state: State, act: Act) -> list[Effect]:
    """E: the each-time effects for this action of cards in play."""
    effects = lasting_of(state, act.seat)
    return [e for e in effects if e["when"] == "each" and e.get("action") == act.action]


def for_action(effects: Sequence[Effect | None], act: Act) -> Effect | None:
    """Of the effects of a card or of the two sides of a row: the once-a-round ability for this action."""
    for effect in effects:
        if effect is not None and effect["do"] != "action" and effect.get("action") == act.action:
            return effect
    return None


def effects_of(state: State, act: Act, chosen: list[str]) -> list[Effect]:
    """What the chosen cards (`use`) and Homes (`home`) do for this action."""
    found = []
    for choice in chosen:
        if verb(choice) == "use":
            effect = for_action([state.card(number(choice)).once], act)
        else:
            effect = for_action(state.data.rows[state.data.homes[number(choice)].row], act)
        assert effect is not None, choice
        found.append(effect)
    return found


def offered(state: State, act: Act, chosen: list[str]) -> dict[str, Effect]:
    """PROTOCOL 2, *Offered abilities*, given the source and S."""
    left_out = {*chosen, act.source}
    found = {}
    for card in sorted(state.seats[act.seat].played):
        effect = for_action([state.card(card).once], act)
        if effect is not None and f"use:{card}" not in state.used | left_out:
            found[f"use:{card}"] = effect
    for row, sides in state.data.rows.items():
        effect = for_action(sides, act)
        home = None if effect is None else unused_home(state, act.seat, row, left_out)
        if effect is not None and home is not None:
            found[f"home:{home}"] = effect
    kinds = {effect["do"] for effect in effects_of(state, act, chosen)} & {"amount", "extra", "double"}
    return {choice: effect for choice, effect in found.items() if effect["do"] not in kinds}


def total(effects: list[Effect], do: str) -> int:
    return sum(int(effect["n"]) for effect in effects if effect["do"] == do)


def price(amount: int, effects: list[Effect]) -> int:
    return max(0, amount - total(effects, "discount"))


def hours_of(act: Act, effects: list[Effect]) -> int:
    return max(0, act.hours - total(effects, "hours"))


def amounts(state: State, act: Act, effects: list[Effect]) -> list[int]:
    """The amounts with which the action has a target and whose price the seat can pay."""
    most = [effect["max"] for effect in effects if effect["do"] == "amount"]
    every = list(range(1, most[0] + 1)) if most else [act.amount]
    coins = state.seats[act.seat].coins
    return [
        amount
        for amount in every
        if price(amount, effects) <= coins and has_target(state, act.seat, act.action, amount, act.symbol)
    ]


def feasible(state: State, act: Act, chosen: list[str]) -> bool:
    effects = each_time(state, act) + effects_of(state, act, chosen)
    hours = hours_of(act, effects)
    if state.free_spaces(act.seat) < max(1, act.spaces + (hours + 1) // 2):
        return False
    return bool(amounts(state, act, effects))


def possible(state: State, act: Act, chosen: list[str]) -> bool:
    """Feasible with all that helps: all offered discounts and savings, and perhaps one amount."""
    # AMBIGUOUS: a row whose ability is a discount or a saving offers one Home at a time; the second Home of
    # the row is offered only after the first was chosen and does not count here (no row of the data).
    more = offered(state, act, chosen)
    helping = [choice for choice, effect in more.items() if effect["do"] in ("discount", "hours")]
    free = [choice for choice, effect in more.items() if effect["do"] == "amount"]
    everything = [*chosen, *helping]
    return feasible(state, act, everything) or any(feasible(state, act, [*everything, c]) for c in free)


# -------------------------------------------------------------------- an action


def take_source(state: State, source: str, acts: list[Act]) -> Asking:
    """The action of a legal source; `acts` are those possible with it (several: the wild tile)."""
    act = acts[0]
    if len(acts) > 1:
        action = yield from ask_object(act.seat, "wild", "do", [a.action for a in acts])
        act = next(a for a in acts if a.action == action)
    yield from take_action(state, act)


def choose_abilities(state: State, act: Act) -> Generator[Decision, str, list[str]]:
    """Step 1: one at a time, while abilities are offered."""
    chosen: list[str] = []
    while True:
        more = offered(state, act, chosen)
        if not more:
            return chosen
        legal = [choice for choice in more if possible(state, act, [*chosen, choice])]
        if feasible(state, act, chosen):
            legal.append("end")
        answer = yield from ask(act.seat, "ability", legal)
        if answer == "end":
            return chosen
        chosen.append(answer)


def take_action(state: State, act: Act) -> Asking:
    """RULES 5, *Order of an action*."""
    seat = act.seat
    before = each_time(state, act)
    chosen = yield from choose_abilities(state, act)
    effects = before + effects_of(state, act, chosen)
    use_up(state, act, chosen)
    amount = act.amount
    if any(effect["do"] == "amount" for effect in effects):
        amount = int((yield from ask_object(seat, "pay", "pay", amounts(state, act, effects))))
    state.pay(seat, price(amount, effects))
    yield from put_hours(state, seat, hours_of(act, effects))
    gains = [effect for effect in effects if effect["do"] == "gain"]
    if act.action == "tax":
        collect(state, act, effects)
        gains = [effect for effect in gains if effect["what"] != "coins"]
    else:
        yield from perform(state, seat, act.action, amount, act.symbol, total(effects, "extra"))
    for effect in gains:
        state.receive(seat, effect["what"], effect["n"])
    take_bonus_tiles(state, seat)


def use_up(state: State, act: Act, chosen: list[str]) -> None:
    """The source and all abilities chosen; a tile lies on the track now."""
    state.used |= set(chosen)
    if verb(act.source) == "tile":
        state.taken[number(act.source)] = act.seat
    elif verb(act.source) in ("home", "use"):
        state.used.add(act.source)


def collect(state: State, act: Act, effects: list[Effect]) -> None:
    """Tax Collector: its coins and those of abilities, doubled by `double` [R6]."""
    coins = act.income
    coins += sum(e["n"] for e in effects if e["do"] == "gain" and e["what"] == "coins")
    doubled = any(effect["do"] == "double" for effect in effects)
    state.receive(act.seat, "coins", 2 * coins if doubled else coins)


# -------------------------------------------------------------------- extra options


def legal_options(state: State, seat: int) -> list[str]:
    """PROTOCOL 2: `swap` with a temple cube and a first exchange, `hire` with three cubes."""
    own, legal = state.seats[seat], []
    if own.cubes["temple"] >= 1 and swap_from(state, seat):
        legal.append("swap")
    if own.all_cubes >= state.data.hire_cubes:
        legal.append("hire")
    return legal


def swap_from(state: State, seat: int) -> list[str]:
    """Each type it has from which some other type can be recruited."""
    found = []
    for citizen in state.types_of(seat):
        # Losing one makes no other type impossible to recruit, nor possible: its own limit alone counts.
        if any(other != citizen for other in state.recruitable(seat)):
            found.append(citizen)
    return found


def take_option(state: State, seat: int, option: str) -> Asking:
    if option == "swap":
        yield from swap(state, seat)
    else:
        yield from hire(state, seat)


def swap(state: State, seat: int) -> Asking:
    """Pay a temple cube; one exchange, then perhaps another with any types [R9]."""
    state.seats[seat].cubes["temple"] -= 1
    for end in ([], ["end"]):
        answer = yield from ask(seat, "swap_from", each("citizen", swap_from(state, seat)) + end)
        if answer == "end":
            return
        away = thing(answer)
        state.lose_one(seat, away)
        others = [citizen for citizen in state.recruitable(seat) if citizen != away]
        state.recruit_one(seat, (yield from ask_object(seat, "swap_to", "citizen", others)))


def hire(state: State, seat: int) -> Asking:
    """Pay three cubes of any kinds; recruit any type."""
    cubes, price_ = state.seats[seat].cubes, state.data.hire_cubes
    temples = [t for t in range(price_ + 1) if t <= cubes["temple"] and price_ - t <= cubes["oracle"]]
    paid = int((yield from ask_object(seat, "hire", "amount", temples)))
    cubes["temple"] -= paid
    cubes["oracle"] -= price_ - paid
    state.recruit_one(seat, (yield from ask_object(seat, "enlist", "citizen", state.recruitable(seat))))
