"""Cards, action tiles, cities, Homes and bonus tiles as things that seats hold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from genesia_rl.core.lab import Array, Fields, Games, Item, ItemSet, Words
from genesia_rl.games.gentes import names
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.text.words import counted

OFTEN = names.ROUNDS // 2  # rounds in which a tile is taken often


def given_or_first(games: Games, gift: str, seat: str, most: int) -> Array:
    """[game, thing]: who began with it; where nobody has begun with anything, who had it first."""
    gifts = games[gift]
    holders = np.arange(games.seats).reshape(-1, *(1,) * (gifts.ndim - 2))
    given = games.put(gifts, holders, most)
    by_play = games[seat].astype(np.int8) - 1
    lots = (gifts > 0).reshape(len(gifts), -1).any(axis=1, keepdims=True)
    return np.asarray(np.where(lots, given, by_play))


def everywhere(games: Games, most: int) -> Array:
    """[game, thing]: all of them are in every game."""
    return np.broadcast_to(np.arange(most + 1) > 0, (len(games), most + 1))


# ---------------------------------------------------------------- cards


def load_cards(fields: Fields) -> Mapping[int, Item]:
    """All cards."""
    cards = load_box(fields.get("data")).cards
    return {
        card.number: Item(card.number, card.name, {"era": card.era, "points": card.points}) for card in cards
    }


CARDS = ItemSet(
    name="cards",
    one="card",
    most=names.CARDS,
    load=load_cards,
    holder=lambda games: given_or_first(games, "card_gifts", "card_seat", names.CARDS),
    dealt=lambda games: np.asarray(games["card_seen"] > 0),
    used=lambda games: np.asarray(games["card_round"] > 0),
    alike=1,
    chance="cards",
    blind="cards",
    words=Words("taken", "played", "not played", "hardly ever played", "taken by choice"),
    about=(
        "Held: in games in which the cards of the first hands were drawn by lot, and everybody was given the next card "
        "of the deck at the beginning of Eras II and III, who had a card so against the others of the same game. "
        "All else is taken and played as the policy likes. So this is what it does to have the card in hand from the "
        "beginning of its era, in place of another one of that era. Taken, taken by choice: in games by the rules."
    ),
)

# ---------------------------------------------------------------- action tiles


def load_tiles(fields: Fields) -> Mapping[int, Item]:
    """The tiles that are in the game; all if the number of players is not said."""
    tiles, players = load_box(fields.get("data")).tiles, fields.get("players")
    return {
        tile.number: Item(
            tile.number,
            f"{tile.action} {tile.symbol}".strip(),
            {"coins": tile.coins, "hourglasses": tile.hours},
        )
        for tile in tiles
        if players is None or tile.is_in(players)
    }


TILES = ItemSet(
    name="tiles",
    one="tile",
    most=names.TILES,
    load=load_tiles,
    holder=lambda games: given_or_first(games, "tile_gift", "tile_seat", names.TILES),
    dealt=lambda games: np.asarray(games["tile_here"] > 0),
    used=lambda games: np.asarray(games["tile_rounds"] >= OFTEN),
    alike=1,
    chance="tiles",
    blind="tiles",
    words=Words(
        "taken in round 1",
        f"taken in {OFTEN} rounds or more",
        "taken seldom",
        "hardly ever taken often",
        "taken by choice",
    ),
    about=(
        "Held: in games in which one action tile was kept for each seat, drawn by lot, another one each, so that no "
        "other could take it, who had a tile kept against the others of the same game. So this is what it does to be "
        "sure of the tile in every round, in place of another one. Taken in round 1: in games by the rules."
    ),
)

# ---------------------------------------------------------------- cities and Homes


def load_cities(fields: Fields) -> Mapping[int, Item]:
    """All cities."""
    return {
        city.number: Item(
            city.number,
            city.name,
            {"region": city.region, "symbol": city.symbol, "reward": f"{city.n} {city.reward}"},
        )
        for city in load_box(fields.get("data")).board.cities
    }


CITIES = ItemSet(
    name="cities",
    one="city",
    most=names.CITIES,
    load=load_cities,
    holder=lambda games: given_or_first(games, "city_gift", "city_seat", names.CITIES),
    dealt=lambda games: everywhere(games, names.CITIES),
    used=lambda games: np.asarray(games["city_last"] > 0),
    alike=1,
    chance="places",
    blind="places",
    words=Words("built", "there at the end", "left again", "hardly ever kept", "built by choice"),
    about=(
        "Held: in games in which everybody began with a token on a city and one on a Home, drawn by lot, another one "
        "each, and without what placing it brings, who began with a city against the others of the same game. Built, "
        "built by choice: in games by the rules, by whom a token was placed there first."
    ),
)


def load_homes(fields: Fields) -> Mapping[int, Item]:
    """The Homes of the side of the board that is used; all if the number of players is not said."""
    board, players = load_box(fields.get("data")).board, fields.get("players")
    return {
        home.number: Item(home.number, f"Home {home.number}", {"row": home.row})
        for home in board.homes
        if players is None or board.symbols(home, players)
    }


HOME_PLACES = ItemSet(
    name="homes",
    one="Home",
    most=names.HOMES,
    load=load_homes,
    holder=lambda games: given_or_first(games, "home_gift", "home_seat", names.HOMES),
    dealt=lambda games: np.asarray(games["home_here"] > 0),
    used=lambda games: np.asarray(games["home_uses"] > 0),
    alike=1,
    chance="places",
    blind="places",
    words=Words("built", "used", "not used", "hardly ever used", "built by choice"),
    about=(
        "Held: in the same games, in which everybody began with a token on a Home that was drawn by lot. Built, built "
        "by choice: in games by the rules."
    ),
)

# ---------------------------------------------------------------- bonus tiles

_CONDITION = {"cards": "cards in play", "citizens": "citizens", "cities": "tokens placed"}


def load_bonus(fields: Fields) -> Mapping[int, Item]:
    """The conditions, each for its highest tile."""
    bonus = load_box(fields.get("data")).board.bonus
    found = {}
    for number, condition in enumerate(names.CONDITIONS, 1):
        mine = [tile for tile in bonus if tile.condition == condition]
        points = max(tile.points for tile in mine)
        found[number] = Item(
            number, f"{mine[0].least} {_CONDITION[condition]}", {"brings": counted(points, "point")}
        )
    return found


BONUS = ItemSet(
    name="bonus",
    one="bonus",
    most=names.NUM_CONDITIONS,
    load=load_bonus,
    holder=lambda games: given_or_first(games, "bonus_gift", "bonus_seat", names.NUM_CONDITIONS),
    dealt=lambda games: everywhere(games, names.NUM_CONDITIONS),
    used=lambda games: np.asarray(games["bonus_met"] > 0),
    alike=1,
    chance="bonus",
    blind="bonus",
    words=Words("taken", "met at the end", "not met", "hardly ever met", "taken by choice"),
    about=(
        "Held: in games in which everybody began with the highest tile of a condition and its points, drawn by lot, "
        "another one each (a fourth seat with the points alone), who began with a tile against the others of the same "
        "game. The points are the same for all of them, so what is worth most is not to have to earn the tile that is "
        "hardest to earn. Taken, taken by choice: in games by the rules, by whom the highest tile was taken."
    ),
)
