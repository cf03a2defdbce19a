"""The opening rules: what is asked of whom, with so many stones on the board, and what is allowed.

swap1 and swap2: one player puts down the first stones, and the other one chooses a side, or in
swap2 adds two more, after which the first one chooses. Soosyrv-8 and Taraguchi-10 are rules of the
Renju International Federation: the first stones stand in squares around the middle of the board,
the stone after `count` others in that of `count` columns and rows to each side, and Black offers
several fifth moves, of which White takes one. docs/BOARD.md says more.

This is the only account of them: programs that agree by SWAP2BOARD, Tengen's choices and people at
a board all follow it. A player is meant by the colour that is his at the moment. Whoever is asked
may change sides where the rule offers it; to play a stone instead is to decline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from engine.model import Point, Rule, Stone

Cell = tuple[int, int]

BLACK, WHITE = int(Stone.BLACK), int(Stone.WHITE)
# The most fifth moves in Soosyrv-8, and all of them in Taraguchi-10.
MOST_FIFTHS = 8
TEN = 10
# The openings of renju are for boards of this size.
_SIDE = 15
# Rotations and reflections of the plane, as rows of a matrix.
_SYMMETRIES = [
    (a * s, b * s, b * t, a * t) for a, b in ((1, 0), (0, 1)) for s in (1, -1) for t in (1, -1)
]


class Opening(Enum):
    """The ways to begin; BALANCE: Tengen puts down three balanced stones."""

    BALANCE = "balance"
    SWAP1 = "swap1"
    SWAP2 = "swap2"
    SOOSYRV = "soosyrv8"
    TARAGUCHI = "taraguchi10"

    @property
    def is_of_renju(self) -> bool:
        """One of renju on 15x15."""
        return self in (Opening.SOOSYRV, Opening.TARAGUCHI)


class Ask(NamedTuple):
    """What is asked of a player.

    actor     the colour of the player; 0 = nobody at the board, Tengen acts.
    puts      how many stones it puts down, in turn; 1 = its own move.
    reach     the next one stands at most so many columns and rows from the middle; None = anywhere.
    may_swap  it may change sides instead; `may_add`: in swap2, add two stones.
    fifths    how many fifth moves Black offers is one of these; the player has to say it before a
              fourth move, `named` or still 0, and may say it instead of a fifth one.
    offers    so many fifth moves are still to be offered; `offered` were. Where there are only
              those, one of them is taken.
    """

    actor: int
    puts: int = 1
    reach: int | None = None
    may_swap: bool = False
    may_add: bool = False
    fifths: tuple[int, ...] = ()
    named: int = 0
    offers: int = 0
    offered: tuple[Cell, ...] = ()

    def is_offer(self, count: int) -> bool:
        """An answer of so many stones offers them as fifth moves."""
        return self.offers > 0 or (bool(self.fifths) and count > 1)


class Statement(NamedTuple):
    """What a player has said, with `at` stones on the board: `word` is swap, add, fifths, with
    their number, or offer, with a point."""

    at: int
    word: str
    number: int = 0
    cell: Cell | None = None


class Talks(NamedTuple):
    """An opening, and what was said in it so far, in order. The stones are those of the game.
    Without an opening nothing is asked."""

    opening: Opening | None
    said: tuple[Statement, ...] = ()

    def ask(self, count: int) -> Ask | None:
        """What is asked with `count` stones on the board; None when the opening is over."""
        is_swapped = self._has("swap", count)
        match self.opening:
            case None:
                return None
            case Opening.BALANCE:
                return Ask(0, 3 - count) if count < 3 else None
            case Opening.SOOSYRV:
                return self._soosyrv(count, is_swapped)
            case Opening.TARAGUCHI:
                return self._taraguchi(count, is_swapped)
        first = 1 if self.opening is Opening.SWAP1 else 3
        if count < first:
            return Ask(BLACK, first - count)
        has_added = self._has("add")
        if has_added and count < 5:
            return Ask(WHITE, 5 - count)
        if is_swapped or count != (5 if has_added else first):
            return None
        return Ask(WHITE, may_swap=True, may_add=first == 3 and not has_added)

    def swaps(self, count: int) -> int:
        """How often the players have changed sides."""
        # Who has added two stones is Black until the other one chooses.
        return sum(said.word == "swap" for said in self.said) + (self._has("add") and count >= 5)

    def swap(self, count: int) -> Talks:
        """The player asked changes sides. ValueError where the opening does not offer it."""
        ask = self.ask(count)
        if ask is None or not ask.may_swap:
            raise ValueError("the opening does not let the players change sides now")
        return self._with(Statement(count, "swap"))

    def add(self, count: int) -> Talks:
        """The player asked adds two stones. ValueError where that is not possible."""
        ask = self.ask(count)
        if ask is None or not ask.may_add:
            raise ValueError("two stones can be added only in swap2, after the first three")
        return self._with(Statement(count, "add"))

    def name_fifths(self, count: int, number: int) -> Talks:
        """So many fifth moves are offered. ValueError for a number that is not possible."""
        ask = self.ask(count)
        if ask is None or not ask.fifths:
            raise ValueError(
                "how many fifth moves are offered is said in Soosyrv-8 before the fourth move, in"
                " Taraguchi-10 instead of the fifth"
            )
        if number not in ask.fifths:
            wanted = f"{TEN}" if len(ask.fifths) == 1 else f"1 to {MOST_FIFTHS}"
            raise ValueError(f"{number} fifth moves cannot be offered here; say {wanted}")
        others = tuple(said for said in self.said if said.word != "fifths")
        return self._replace(said=(*others, Statement(count, "fifths", number)))

    def offer(self, cell: Cell) -> Talks:
        """A point that `check` allows is offered as the fifth move."""
        return self._with(Statement(4, "offer", cell=cell))

    def answered(self, count: int, stones: Sequence[Cell], fifths: int = 0) -> Talks:
        """The player asked answers with these stones, which are put down unless they are offers,
        or changes sides with none; `fifths` is said with a fourth move."""
        ask = self.ask(count)
        if not stones or ask is None:
            return self.swap(count)
        if ask.may_add and len(stones) == 2:
            return self.add(count)
        talks, is_offer = self, ask.is_offer(len(stones))
        if fifths or (is_offer and not ask.offers):
            talks = talks.name_fifths(count, fifths or len(stones))
        if is_offer:
            for cell in stones:
                talks = talks.offer(cell)
        return talks

    def check(self, stones: Sequence[Cell], cell: Cell, width: int, height: int) -> None:
        """ValueError, in one line, if the opening does not allow that point, which is empty, for
        the next stone or offer."""
        # Imported here because only people are told, and a manager's clock runs at the start.
        from engine.text import point_name, point_names

        ask = self.ask(len(stones))
        if ask is None:
            return
        name = point_name(cell, height)
        if ask.fifths and len(stones) == 3 and not ask.named:
            raise ValueError(f"say first how many fifth moves Black offers: 1 to {MOST_FIFTHS}")
        if ask.reach is not None and cell not in central(width, height, ask.reach):
            side = 2 * ask.reach + 1
            square = f"in the central {side}x{side} square" if ask.reach else "in the middle"
            raise ValueError(f"{name} is not possible: stone {len(stones) + 1} stands {square}")
        if ask.offers:
            same = [other for other in ask.offered if other in twins(stones, cell)]
            if cell in same:
                raise ValueError(f"{name} is offered already; choose another point")
            if same:
                other = point_name(same[0], height)
                raise ValueError(f"{name} is the same as {other}, turned or mirrored")
        elif ask.offered and cell not in ask.offered:
            raise ValueError(
                f"{name} is not offered; take one of {point_names(ask.offered, height)}"
            )

    def back(self, count: int) -> tuple[int, Talks]:
        """One stone less, or without what was said last, if that came after it."""
        if self.said and self.said[-1].at == count:
            return count, self._replace(said=self.said[:-1])
        return count - 1, self

    def steps_back(
        self, count: int, turns: int, acts: Callable[[Talks, int], bool]
    ) -> tuple[int, int, Talks]:
        """So many turns back of those who `acts` says are to act, or as many as there are: how many
        turns, how many stones are left, and what is still said."""
        talks, found = self, (0, count, self)
        while found[0] < turns and (count or talks.said):
            count, talks = talks.back(count)
            if acts(talks, count):
                found = (found[0] + 1, count, talks)
        return found

    @property
    def named(self) -> int:
        """How many fifth moves are offered; 0 where nobody has said it."""
        return sum(said.number for said in self.said)

    def _soosyrv(self, count: int, is_swapped: bool) -> Ask | None:
        named = self.named
        if count < 3:
            return Ask(BLACK, 3 - count, reach=count)
        if count == 3:
            fifths = tuple(range(1, MOST_FIFTHS + 1))
            return Ask(WHITE, may_swap=not (is_swapped or named), fifths=fifths, named=named)
        if count > 4 or (named == 1 and is_swapped):
            return None
        if named == 1:
            return Ask(BLACK, may_swap=True)
        return self._offers(named, not is_swapped)

    def _taraguchi(self, count: int, is_swapped: bool) -> Ask | None:
        named = self.named
        if count == 4 and named:
            return self._offers(named, False)
        if count < 5:
            fifths = (TEN,) if count == 4 and not is_swapped else ()
            may_swap = count > 0 and not is_swapped
            return Ask(WHITE if count % 2 else BLACK, 1, count, may_swap, fifths=fifths)
        if count > 5 or named or is_swapped:
            return None
        return Ask(WHITE, may_swap=True)

    def _offers(self, named: int, may_swap: bool) -> Ask:
        offered = tuple(said.cell for said in self.said if said.cell is not None)
        if len(offered) == named:
            return Ask(WHITE, offered=offered)
        may_swap = may_swap and not offered
        return Ask(BLACK, may_swap=may_swap, offers=named - len(offered), offered=offered)

    def _has(self, word: str, at: int | None = None) -> bool:
        return any(said.word == word and at in (None, said.at) for said in self.said)

    def _with(self, said: Statement) -> Talks:
        return self._replace(said=(*self.said, said))


def swap2_ask(count: int) -> Ask | None:
    """What swap2 asks with so many stones on the board, where five mean that two were added; None
    where it asks nothing."""
    talks = Talks(Opening.SWAP2)
    return (talks.add(3) if count == 5 else talks).ask(count) if count in (0, 3, 5) else None


def check_opening(opening: Opening, rule: int, width: int, height: int) -> None:
    """ValueError, in one line, for an opening of another rule or size of board."""
    if opening.is_of_renju and (rule, width, height) != (Rule.RENJU, _SIDE, _SIDE):
        raise ValueError(f"{opening.value} is an opening of renju on 15x15")


def central(width: int, height: int, reach: int) -> list[Point]:
    """The points at most `reach` columns and rows from the middle of the board."""
    near = range(-reach, reach + 1)
    points = [Point(width // 2 + x, height // 2 + y) for y in near for x in near]
    return [point for point in points if 0 <= point.x < width and 0 <= point.y < height]


def twins(stones: Sequence[Cell], point: Cell) -> frozenset[Point]:
    """The points that are the same for these stones, Black's first, as `point` is: what turns,
    mirrors or moves the stones onto stones of the same colours brings `point` there. Some may be
    off the board; `point` is one of them."""
    found = {Point(*point)}
    for a, b, c, d in _SYMMETRIES:
        turned = [Point(a * x + b * y, c * x + d * y) for x, y in (*stones, point)]
        right = min(x for x, _ in stones) - min(x for x, _ in turned[:-1])
        down = min(y for _, y in stones) - min(y for _, y in turned[:-1])
        *moved, twin = (Point(x + right, y + down) for x, y in turned)
        if all(set(moved[i::2]) == set(stones[i::2]) for i in (0, 1)):
            found.add(twin)
    return frozenset(found)
