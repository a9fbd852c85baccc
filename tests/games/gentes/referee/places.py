"""City tokens (RULES 6, Navigator): placing, moving, activating, rewards."""

from __future__ import annotations

from .asking import Asking, ask, ask_object, each, number, verb
from .data import ANY
from .state import State, homes_on_side


def empty_places(state: State, symbol: str) -> list[str]:
    """The empty cities and Homes with the symbol, as actions."""
    cities = [c for c, city in state.data.cities.items() if symbol in (ANY, city.symbol)]
    homes = [
        h for h in homes_on_side(state.data, state.n) if symbol == ANY or symbol in state.home_symbols(h)
    ]
    places = each("city", (c for c in cities if c not in state.cities))
    return places + each("home", (h for h in homes if h not in state.homes))


def navigate(state: State, seat: int, symbol: str) -> Asking:
    """Place a token, or move one if all are placed; then activate a region."""
    places = empty_places(state, symbol)  # empty before a token is lifted [R4]
    if not places:
        return
    if state.tokens_placed(seat) >= state.data.tokens:
        yield from lift(state, seat)
    place = yield from ask(seat, "city", places)
    if verb(place) == "city":
        city = number(place)
        state.cities[city] = seat
        give_rewards(state, seat, state.data.cities[city].region)
    else:
        state.homes[number(place)] = seat
        yield from activate(state, seat)


def lift(state: State, seat: int) -> Asking:
    """A token leaves its place; what its Home did this round is forgotten [R4]."""
    # AMBIGUOUS: the page does not say where the token is at `city`; the state shows it as lifted already.
    places = each("city", (city.number for city in state.own_cities(seat)))
    places += each("home", state.own_homes(seat))
    place = yield from ask(seat, "move", places)
    if verb(place) == "city":
        del state.cities[number(place)]
    else:
        del state.homes[number(place)]
        state.used.discard(place)


def activate(state: State, seat: int) -> Asking:
    """Choose a region where one has a city; none: nothing."""
    regions = state.own_regions(seat)
    if regions:
        region = yield from ask_object(seat, "region", "region", regions)
        give_rewards(state, seat, region)


def give_rewards(state: State, seat: int, region: str) -> None:
    """Every own city in the region gives its reward, by rising number."""
    for city in state.own_cities(seat, region):
        state.receive(seat, city.reward, city.n)
