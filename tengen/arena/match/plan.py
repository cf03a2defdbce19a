"""Everything that decides what a run plays, as one value that can be written and read back.

Two runs with equal plans write the same games if the limits are in nodes or depth; with the opening
rule swap2 only if the programs repeat their openings (Tengen does with a limit in nodes). How a run
is carried out (how many games at a time, on which machines, how it is shown) is not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from tengen.arena.match.schedule import PROLONGED, OpeningOrder, Schedule, make_schedule
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec, as_record, from_record
from tengen.arena.stats.sprt import Model, Sprt
from tengen.game.json_text import Record
from tengen.game.openings import Opening
from tengen.game.record.game import Setting
from tengen.game.record.numbers import counted

FORMAT = 2


@dataclass(frozen=True)
class Plan:
    """What a run plays.

    programs   the entrants, each with its own name.
    setting    the board, the rule and the options of every game.
    openings   what games begin with; `order` and `seed` decide their order, and the run begins
               with the one at `start` in that order.
    kind       one of schedule.KINDS, with `games` for each pairing (Swiss: and round), `rounds` of
               a Swiss tournament and `seeds` of a gauntlet.
    sprt       the test that ends the run early, between two programs.
    versions   the programs' names with their answers to ABOUT, or None.
    settings   what programs have said of settings that they have from files, by name.
    """

    programs: tuple[ProgramSpec, ...]
    setting: Setting
    openings: tuple[Opening, ...]
    games: int
    kind: str = "roundrobin"
    rounds: int = 0
    seed: int = 1
    order: str = "random"
    start: int = 1
    seeds: int = 1
    timeouts: Timeouts = field(default_factory=Timeouts)
    sprt: Sprt | None = None
    versions: tuple[tuple[str, str | None], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """The programs' names."""
        return [program.name for program in self.programs]

    @property
    def by_name(self) -> dict[str, ProgramSpec]:
        """The programs by name."""
        return {program.name: program for program in self.programs}

    @cached_property
    def _order(self) -> OpeningOrder:
        """Made once: a book may have a million openings."""
        size = self.setting.width, self.setting.height
        return OpeningOrder(self.openings, *size, self.seed, self.order, self.start)

    def with_games(self, games: int, played: int) -> Plan:
        """The plan with another number of games of each pairing, after the first `played` games
        of the run. ValueError if those would be others."""
        if self.kind not in PROLONGED:
            raise ValueError(f"a {self.kind} has a fixed number of games; leave out --games")
        plan = replace(self, games=games)
        before, after = (each.schedule().next_round({})[:played] for each in (self, plan))
        if before != after:
            raise ValueError(
                f"--games {games}: {counted(played, 'game')} of the run"
                f" {'is' if played == 1 else 'are'} played already, and would not be the same"
            )
        return plan

    def schedule(self) -> Schedule:
        """A new schedule; ValueError if the plan cannot be played."""
        return make_schedule(
            self.kind, self.names, self.games, self.rounds, self._order, self.seeds
        )


def plan_record(plan: Plan) -> Record:
    """The plan as plain values: the first line of games.jsonl."""
    return {
        "format": FORMAT,
        "programs": [*map(as_record, plan.programs)],
        "versions": dict(plan.versions),
        "settings": dict(plan.settings),
        **asdict(plan.setting),
        "schedule": {key: getattr(plan, key) for key in ("kind", "games", "rounds", "seeds")},
        "sprt": asdict(plan.sprt) | {"model": plan.sprt.model.value} if plan.sprt else None,
        "seed": plan.seed,
        "order": plan.order,
        "start": plan.start,
        "timeouts": asdict(plan.timeouts),
        "openings": [_flat(opening.offsets) for opening in plan.openings],
    }


def read_plan(record: Mapping[str, Any]) -> Plan:
    """Reads what `plan_record` returns, also in an earlier version, which wrote fewer keys.
    ValueError if it is not a plan of this format."""
    try:
        if record["format"] != FORMAT:
            raise ValueError(
                f"format {record['format']} is not {FORMAT}, the one this version reads"
            )
        sprt = record["sprt"]
        if sprt is not None:
            sprt = Sprt(**sprt | {"model": Model(sprt["model"])})
        return Plan(
            programs=tuple(map(from_record, record["programs"])),
            setting=Setting(
                **{key: record[key] for key in Setting.__dataclass_fields__ if key in record}
            ),
            openings=tuple(
                Opening(tuple(zip(flat[::2], flat[1::2], strict=True)), f"number {number}")
                for number, flat in enumerate(record["openings"], start=1)
            ),
            **record["schedule"],
            **{key: record[key] for key in ("seed", "order", "start") if key in record},
            timeouts=Timeouts(**record.get("timeouts") or record["patience"]),
            sprt=sprt,
            versions=tuple(record["versions"].items()),
            settings=tuple(record["settings"].items()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the plan of a run: {error}") from None


def _flat(offsets: Sequence[tuple[int, int]]) -> list[int]:
    return [number for offset in offsets for number in offset]
