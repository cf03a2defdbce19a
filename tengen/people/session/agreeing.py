"""What programs at the board come to: a move, a hint, or what they put down and choose in an
opening, which a search of Tengen's finds; and what people read and have to do there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.model import Info, Limits, Position
from engine.text import point_names
from protocol.brain import Brain
from protocol.choices import Answer, Question
from protocol.opening_rules import Opening, Talks
from tengen.common.translation import tr
from tengen.game.played import Move
from tengen.game.referee import COLOUR_NAMES, WHITE, Cell, opponent_of
from tengen.people.session.engine_player import PendingSearch, position_of
from tengen.people.session.game import Game


@dataclass(frozen=True)
class Agreed:
    """A program has put down the stones `cells` in turn, or has chosen.

    colour     of the first of them.
    is_swap    it has changed sides instead.
    is_choice  it could have changed sides.
    is_offer   the cells are fifth moves that Black offers.
    fifths     so many fifth moves Black has to offer after this move; 0 in other openings.
    remark     what else there is to say.
    """

    name: str
    cells: tuple[Cell, ...]
    colour: int
    is_swap: bool = False
    is_choice: bool = False
    is_offer: bool = False
    fifths: int = 0
    remark: str = ""


def agreed_text(agreed: Agreed, height: int) -> str:
    """What a program has done, in a sentence, or in two with a remark."""
    name, side = agreed.name, COLOUR_NAMES[agreed.colour]
    points = point_names(agreed.cells, height)
    if agreed.is_swap:
        return tr("{name} takes {side}.", name=name, side=COLOUR_NAMES[opponent_of(agreed.colour)])
    if agreed.is_offer:
        text = tr("{name} offers as fifth moves {points}.", name=name, points=points)
    elif agreed.fifths:
        text = tr(
            "{name} plays {points}, and Black has to offer {many}.",
            name=name,
            points=points,
            many=tr("one fifth move")
            if agreed.fifths == 1
            else tr("{count} fifth moves", count=agreed.fifths),
        )
    elif len(agreed.cells) == 1 and agreed.is_choice:
        text = tr("{name} stays {side} and plays {points}.", name=name, side=side, points=points)
    elif len(agreed.cells) == 1:
        text = tr("{name} plays {points}.", name=name, points=points)
    else:
        text = tr("{name} puts down {points}, {side}'s first.", name=name, points=points, side=side)
    if not agreed.remark:
        return text
    remark = agreed.remark[:1].upper() + agreed.remark[1:]
    return tr("{text} {remark}.", text=text, remark=remark)


def to_do(
    talks: Talks, count: int, height: int, ways: Mapping[str, str], names_side: bool = False
) -> list[str]:
    """What the player asked, whom `names_side` names first, has to do with `count` stones on a
    board of `height` rows; none when the opening is over. `ways` are sentences that say how to
    swap, to add, to name the fifths and to offer ten."""
    ask = talks.ask(count)
    if ask is None or not ask.actor:
        return []
    side = COLOUR_NAMES[ask.actor]
    if ask.offers:
        said: list[str] = [
            tr(
                "Fifth moves to offer: {count}, none the same as another turned or mirrored.",
                count=ask.offers,
            )
        ]
    elif ask.offered:
        points = point_names(ask.offered, height)
        said = [tr("Take one of the fifth moves offered: {points}.", points=points)]
    elif talks.opening is Opening.SOOSYRV and count < 3:
        said = [
            tr(
                "Put down the first three stones, in the middle and the central 3x3 and 5x5"
                " squares; then the other player chooses a side."
            )
        ]
    elif ask.reach is not None:
        size = f"{2 * ask.reach + 1}x{2 * ask.reach + 1}"
        said = [tr("Play {side}'s stone in the central {size} square.", side=side, size=size)]
        if not count:
            said = [tr("Play {side}'s stone in the middle.", side=side)]
    elif ask.may_swap or ask.fifths:
        said = [tr("Play as {side}.", side=side)]
    elif ask.actor == WHITE:
        said = [tr("Put down a white and a black stone; then the other player chooses a side.")]
    elif talks.opening is Opening.SWAP2:
        said = [tr("Put down three stones, Black's first; then the other player chooses a side.")]
    else:
        said = [tr("Put down Black's first stone; then the other player chooses a side.")]
    if ask.may_swap:
        said.append(ways["swap"])
    if ask.may_add:
        said.append(ways["add"])
    if ask.fifths and not ask.named:
        said.append(ways["fifths" if count == 3 else "ten"])
    return [tr("{side}:", side=side), *said] if names_side else said


class Answering(PendingSearch):
    """A program's search for what it puts down or chooses: its answer to a question."""

    def __init__(
        self, name: str, game: Game, limits: Limits, ask: Callable[[Brain, Position], Question]
    ) -> None:
        super().__init__(name, position_of(game), limits)
        self._ask = ask

    def answer(self) -> Answer:
        """What was found. PlayerFailed if the program failed or put a stone on another one."""
        answer = self._outcome()
        assert isinstance(answer, Answer)
        for point in answer.stones:
            self._check(point)
        return answer

    def _search(self, brain: Brain) -> Answer:
        return self._ask(brain, self.position).think(self.limits)


def settle(talks: Talks, game: Game, thinking: Answering) -> tuple[Agreed, tuple[Cell, ...], Talks]:
    """What a program's answer is, the stones to put down for it, and what is said then; `talks`:
    before it. PlayerFailed as of `Answering.answer`."""
    name, answer, count = thinking.name, thinking.answer(), len(game.moves)
    cells, colour = tuple((x, y) for x, y in answer.stones), game.colour_of(count)
    ask = talks.ask(count)
    if ask is None:  # balanced stones in a game
        return Agreed(name, cells, colour, remark=answer.remark), cells, talks
    talks = talks.answered(count, cells, answer.fifths)
    if answer.is_swap:
        return Agreed(name, (), ask.actor, is_swap=True), (), talks
    if ask.is_offer(len(cells)):
        return Agreed(name, cells, colour, is_offer=True), (), talks
    is_choice = ask.may_swap and talks.ask(count + 1) is None
    agreed = Agreed(name, cells, colour, is_choice=is_choice, fifths=answer.fifths)
    return agreed, cells, talks


@dataclass(frozen=True)
class Moved:
    """A program has played. info: its search."""

    name: str
    move: Move
    info: Info


@dataclass(frozen=True)
class Hint:
    """A hint is ready.

    cell  where Tengen would play.
    text  the point, what a stone does there, and the value of the position, in a sentence.
    """

    cell: Cell
    text: str
    info: Info


@dataclass(frozen=True)
class Failed:
    """A program gave no move, or no hint; `text` says why, in one line."""

    text: str
    is_hint: bool


Event = Moved | Hint | Failed | Agreed
