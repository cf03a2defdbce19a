"""What a match has to play, and what has come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tengen.game.files.sgf import result_of
from tengen.game.game import Game
from tengen.game.node import first_properties, move_properties
from tengen.game.played import MatchFacts, Move, Termination
from tengen.game.referee import BLACK, WHITE, Cell
from tengen.game.rules import RULE_TITLES


@dataclass(frozen=True)
class Setting:
    """What all games of a run have in common: the board, the rule and how they are played.

    draw_after          a game with this many stones on the board is a draw; None = only a
                        full board is.
    opening_rule        how the first stones are placed: None = by the opening of the job, "swap2" =
                        by the programs.
    is_suspending       the program that is not to move is suspended.
    keeps_transcripts   all lines to and from the programs are kept with the game.
    resign_moves        a game is won when both programs have valued it so for so many moves of
                        each, by `resign_value` or more; 0 = never.
    draw_moves          a game with `draw_from` stones or more is drawn when both programs have
                        valued it within `draw_value` of even for so many moves of each; 0 = never.
    resign_sides, draw_sides   2 = both programs have to say so; 1 = the one that has just moved,
                        which gives the game up, or calls it even.
    judge               the command of a program that ends games by proofs of wins; None = none.
    event, site         what records say of the occasion; empty = nothing.
    """

    width: int
    height: int
    rule: int
    draw_after: int | None = None
    opening_rule: str | None = None
    is_suspending: bool = False
    keeps_transcripts: bool = False
    resign_moves: int = 0
    resign_value: int = 0
    draw_moves: int = 0
    draw_value: int = 0
    draw_from: int = 0
    resign_sides: int = 2
    draw_sides: int = 2
    judge: str | None = None
    event: str = ""
    site: str = ""


@dataclass(frozen=True)
class Job:
    """One game to play.

    index    its number in the run, from zero; records are written in this order.
    pair     the number of its pair: two games from one opening with colours exchanged.
    black, white   names of programs.
    opening  the first moves, Black's first, as cells of the board.
    source   the number of the opening in the run's list, and the symmetry applied to it.
    options  INFO keys and values for this game alone, by the name of the program; they are sent
             after the program's own. A record of the game does not have them.
    """

    index: int
    pair: int
    black: str
    white: str
    opening: tuple[Cell, ...]
    source: tuple[int, int] = (0, 0)
    options: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def name_of(self, colour: int) -> str:
        """The program that plays a colour."""
        return {BLACK: self.black, WHITE: self.white}[colour]


def match_game(
    job: Job,
    setting: Setting,
    winner: int,
    termination: Termination,
    detail: str = "",
    moves: Sequence[Move] = (),
    peak_bytes: tuple[int, int] = (0, 0),
    began_at: float = 0.0,
    host: str = "",
    transcript: tuple[str, ...] = (),
) -> Game:
    """A job that has been played.

    job          with the colours as they were played, and the stones of the opening.
    winner       BLACK, WHITE, or 0 for a draw and for a game without a result (INTERRUPTED).
    termination  why it ended; after a failure, the loser is the program that failed.
    detail       the reason in words, for people; empty after FIVE and FULL.
    moves        all stones on the board; an illegal move is not among them, a forbidden one is.
    peak_bytes, began_at, host, transcript   as MatchFacts has them; 0 bytes = not measured.
    """
    names = {"PB": " ".join(job.black.split()), "PW": " ".join(job.white.split())}
    size = setting.width, setting.height
    game = Game.of("match", first_properties(names, size), people=frozenset())
    node = game.root
    for move in moves:
        node = node.append(move_properties(move.x, move.y, move.colour))
        node.time_s, node.report = move.elapsed_s, move.report
    game.number = job.index + 1
    game.match = MatchFacts(
        job.index, job.pair, len(job.opening), job.source, peak_bytes, began_at, host, transcript
    )
    game.termination, game.detail, game.is_judged = termination, detail, True
    if termination is not Termination.INTERRUPTED:
        game.result = {BLACK: "black", WHITE: "white"}.get(winner, "draw")
    return described(game, setting)


def described(game: Game, setting: Setting) -> Game:
    """The same game, which now says of itself what files of a match have."""
    info = {
        "RU": RULE_TITLES.get(setting.rule & ~2, str(setting.rule)),
        "GN": str(game.number),
        "PB": game.black,
        "PW": game.white,
        "EV": setting.event,
        "PC": setting.site,
        "RE": result_of(game),
    }
    game.root.properties = first_properties(info, (setting.width, setting.height))
    game.changed(game.root)
    for node in game[: game.opening_moves]:
        node.comment = "opening"
    return game
