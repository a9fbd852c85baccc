"""Genesia behind the contract: ties configuration, tables, kernels and texts together; holds no rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.core.errors import ActionError
from genesia_rl.core.facts import Facts
from genesia_rl.core.game import Game, Tables
from genesia_rl.core.pieces import Head
from genesia_rl.games.genesia import observe
from genesia_rl.games.genesia.actions import BASES, NUM_ACTIONS, ActionTexts, verb_of
from genesia_rl.games.genesia.bounds import state_bounds
from genesia_rl.games.genesia.check import check_state
from genesia_rl.games.genesia.compiled import KERNELS
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.board import Board, board_for, region_name
from genesia_rl.games.genesia.data.cards import Data, load_data
from genesia_rl.games.genesia.names import KINDS, MAX_SEATS, SCORE_PARTS
from genesia_rl.games.genesia.state import STATE, States
from genesia_rl.games.genesia.tables import build_tables, pack_edges, put_decks
from genesia_rl.games.genesia.text.deal import deal_dict, put_deal
from genesia_rl.games.genesia.text.draw import draw
from genesia_rl.games.genesia.text.position import put_position

FACTS = Facts(
    name="genesia",
    version=1,
    most_seats=MAX_SEATS,
    kinds=KINDS,
    # Random games take about 110 a seat; every action but `end` uses up a card, a coin, a free move or a
    # clan, and these come to no more than this.
    max_decisions=20_000,
    score_parts=SCORE_PARTS,
    secret_parts=("objective",),
)


#: The verbs whose objects are cards.
CARD_VERBS = ("card", "discard")


def make(**fields: Any) -> GenesiaGame:
    """A game of Genesia; the fields are those of RULES 3, and `data` for a folder of one's own data."""
    return GenesiaGame(Config.make(**fields))


class GenesiaGame(Game):
    """Genesia in one configuration."""

    facts = FACTS
    state_dtype = STATE
    kernels = KERNELS
    num_actions = NUM_ACTIONS

    def __init__(self, config: Config) -> None:
        self.config = config
        self.data: Data = load_data(config.data)
        self.board: Board = board_for(config.data, config.continents)
        self.tables = build_tables(config)
        self.bounds = state_bounds(config, self.board)
        self.num_seats = config.seats
        self.is_contest = not config.is_solo
        self.teams = tuple(self.tables[0]["team"][: config.seats].tolist())
        regions = len(self.board.values)
        self.pieces = observe.layout(config.seats, regions, config.is_solo)
        self.groups = observe.groups(config.seats, regions)
        self.observation_size = observe.observation_size(config.seats, regions)
        edges = pack_edges(self.board)
        self._texts = ActionTexts(edges)
        ends = np.array([edges[place] for place in sorted(edges)], np.int64)
        self.token_sets = observe.token_sets(self.groups, ends)
        self.heads = (
            Head("plain", np.arange(BASES["region"])),
            Head("region", BASES["region"] + np.arange(regions), "regions", np.arange(regions)),
            Head(
                "cards", np.concatenate([BASES[verb] + np.arange(observe.NUM_CARDS) for verb in CARD_VERBS])
            ),
            Head("pair", BASES["edge"] + np.array(sorted(edges)), "regions", ends),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its configuration: tables are built anew."""
        return GenesiaGame, (self.config,)

    def variations(self, fields: Sequence[Mapping[str, Any]]) -> Tables:
        """As every game's; lots decide what is dealt and nothing else, so only that is worked out anew."""
        if not fields or any(
            not isinstance(changed, Mapping) or set(changed) != {"lots"} for changed in fields
        ):
            return super().variations(fields)
        tables = np.repeat(self.tables, len(fields))
        for t, changed in zip(tables, fields, strict=True):
            config = Config.make(**{**self.config.to_dict(), **changed})
            put_decks(t, config, self.data)
        return tables

    # ---- actions
    def to_view(self, seat: int, action: int) -> int:
        return self._renumber("action_to_view", seat, action)

    def from_view(self, seat: int, action: int) -> int:
        return self._renumber("action_from_view", seat, action)

    def _renumber(self, table: str, seat: int, action: int) -> int:
        if not 0 <= action < NUM_ACTIONS:
            raise ActionError(f"action {action}: no such action, allowed are 0..{NUM_ACTIONS - 1}")
        return int(self.tables[0][table][seat, action])

    def action_text(self, action: int) -> str:
        return self._texts.text(action)

    def parse_action(self, text: str) -> int:
        return self._texts.parse(text)

    def describe(self, action: int, states: States | None = None, i: int = 0) -> str:
        verb, obj = verb_of(int(action))
        text = self.action_text(action)
        kind = "" if states is None else self.kind(states, i)
        if verb in ("card", "discard"):
            card = self.data.cards.get(obj)
            what = "discard" if verb == "discard" else "keep" if kind == "draft" else "play"
            return f"{what} card {obj}, {card.name if card else 'which does not exist'}"
        if verb == "region":
            what = "recruit in" if kind in ("growth", "expansion", "assault") else "choose"
            return f"{what} region {obj} ({self.region_name(obj)})"
        if verb == "edge":
            a, b = (int(r) for r in text.removeprefix("edge:").split("-"))
            what = "assault" if kind == "assault" else "go"
            return f"{what} from region {a} ({self.region_name(a)}) to region {b} ({self.region_name(b)})"
        if verb == "objective":
            objective = self.data.objectives.get(obj)
            return f"keep objective {obj}, {objective.name if objective else 'which does not exist'}"
        words = {"position": f"take place {obj + 1} in the turn order", "seat": f"choose seat {obj}",
                 "amount": f"choose the number {obj}", "end": "end, decline or pass",
                 "war": "choose War", "peace": "choose Peace"}  # fmt: skip
        return words[verb]

    def region_name(self, region: int) -> str:
        """A region in words."""
        if region >= len(self.board.values):
            return "which this board does not have"
        return region_name(region, self.config.continents)

    # ---- traces and positions
    def config_dict(self) -> dict[str, Any]:
        return self.config.to_dict()

    def deal_dict(self, states: States, i: int) -> dict[str, Any]:
        return deal_dict(self.config, states[i])

    def put_deal(self, states: States, i: int, deal: Mapping[str, Any]) -> None:
        put_deal(self.config, self.data, self.tables, states, i, deal)
        self.kernels.start(states, int(i), self.tables)

    def put_position(self, states: States, i: int, position: Mapping[str, Any]) -> dict[str, Any]:
        whole = put_position(self.config, self.data, self.board, self.tables, states, i, position)
        self.kernels.start(states, int(i), self.tables)
        return whole

    def state_dict(self, states: States, i: int) -> dict[str, Any]:
        s, n = states[i], self.num_seats
        regions = len(self.board.values)
        clans = s["clans"][:n, :regions]
        cities = [members(s["city_regions"][seat]) for seat in range(n)]
        return {
            "coins": s["coins"][:n].tolist(),
            "supply": s["clan_supply"][:n].tolist(),
            "clans": {str(r): clans[:, r].tolist() for r in np.flatnonzero(clans.any(axis=0)).tolist()},
            "cities": {
                str(r): [seat for seat in range(n) if r in cities[seat]] for r in sorted(set().union(*cities))
            },
        }

    def result_dict(self, states: States, i: int) -> dict[str, Any]:
        s, n = states[i], self.num_seats
        parts, totals, ranks = self.scores(states, i)
        kept = [int(k) or None for k in s["kept"][:n]]
        result: dict[str, Any] = {"progress": s["progress"][:n].tolist()}
        for column, part in enumerate(SCORE_PARTS):
            if part != "progress":
                result[part] = parts[:, column].tolist()
        result["objective_kept"] = kept
        result["score"] = totals.tolist()
        result["winners"] = np.flatnonzero(ranks == 0).tolist() if self.is_contest else []
        if not self.is_contest:
            result["solo_score"] = int(totals.min())
        return result

    # ---- for people
    def draw(self, states: States, i: int) -> str:
        return draw(self, states, i)

    def check_state(self, states: States, i: int) -> list[str]:
        return check_state(self.config, self.board, states[i])
