"""The lines that cutechess prints, for frameworks that start its matches and read them.

The program named first has the first move, as White has there. `1-0` means that it has won. The
reasons in braces have the words that such frameworks look for: `on time`, `disconnects`, `stalls`,
`illegal move`.
"""

from __future__ import annotations

from tengen.arena.match.display import Display
from tengen.arena.match.story import Watcher
from tengen.arena.match.summary import print_line
from tengen.arena.match.tally import Tally
from tengen.game.record.game import Game, Job
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, COLOUR_NAMES, WHITE, Referee, opponent_of

_RESULTS = {BLACK: "1-0", WHITE: "0-1", 0: "1/2-1/2"}
# What the loser did.
_FAILED = {
    Termination.TIMEOUT: "{loser} loses on time",
    Termination.STALL: "{loser}'s connection stalls",
    Termination.CRASH: "{loser} disconnects",
    Termination.MEMORY: "{loser} disconnects: too much memory",
    Termination.ILLEGAL: "{loser} makes an illegal move",
    Termination.FORBIDDEN: "{loser} makes an illegal move: forbidden",
    Termination.RESIGNED: "{winner} wins by resignation",
    Termination.FIVE: "{winner} wins by five",
    Termination.ADJUDICATED: "{winner} wins by adjudication",
}


class CutechessDisplay(Display):
    """`every` is its rating interval."""

    def __exit__(self, *error: object) -> None:
        print_line(self._console, "Finished match")

    def watchers(self, count: int) -> list[Watcher]:
        """Each prints the beginning of its games."""
        return [_Starts(self) for _ in range(count)]

    def started(self, job: Job) -> None:
        """Prints that a game begins."""
        print_line(self._console, f"Started game {job.index + 1} of {self._total} {_who(job)}")

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Prints how the game has ended, and the score of its programs."""
        result = _RESULTS[game.winner]
        print_line(
            self._console,
            f"Finished game {game.job.index + 1} {_who(game.job)}: {result} {{{_reason(game)}}}",
        )
        names = {game.job.black, game.job.white}
        [(first, second)] = [each for each in tally.pairings if set(each) == names]
        score = tally.pairings[first, second]
        print_line(
            self._console,
            f"Score of {first} vs {second}: {score.wins} - {score.losses} - {score.draws}"
            f"  [{score.share:.3f}] {score.games}",
        )
        due = self._every and tally.games % self._every == 0
        if due or tally.games == self._total:
            self.print_score(tally)

    def print_score(self, tally: Tally) -> None:
        """Prints Elo, if there are games enough for one, and the test, of two programs."""
        if len(tally.standings) != 2:
            return
        from tengen.arena.stats.elo import elo_estimate, los

        [score] = tally.pairings.values()
        pairs = score.pentanomial
        estimate = elo_estimate(pairs)
        if estimate.is_known:
            print_line(
                self._console,
                f"Elo difference: {estimate.elo:z.1f} +/- {(estimate.high - estimate.low) / 2:.1f},"
                f" LOS: {100 * los(pairs):.1f} %,"
                f" DrawRatio: {100 * score.draws / score.games:.1f} %",
            )
        if (test := self._sprt) is not None:
            llr = test.llr(pairs)
            share = 100 * llr / (test.upper if llr > 0 else -test.lower)
            verdict = test.verdict(pairs).value
            accepted = f" - {verdict}" if verdict != "undecided" else ""
            print_line(
                self._console,
                f"SPRT: llr {llr:z.2f} ({share:z.1f}%), lbound {test.lower:.2f},"
                f" ubound {test.upper:.2f}{accepted}",
            )


class _Starts(Watcher):
    def __init__(self, display: CutechessDisplay) -> None:
        self._display = display

    def game_started(self, job: Job, board: Referee) -> None:
        self._display.started(job)


def _who(job: Job) -> str:
    return f"({job.black} vs {job.white})"


def _reason(game: Game) -> str:
    if not game.winner:
        how = "adjudication" if game.termination is Termination.ADJUDICATED else "a full board"
        return f"Draw by {how}"
    names = {"winner": game.winner, "loser": opponent_of(game.winner)}
    return _FAILED[game.termination].format(
        **{key: COLOUR_NAMES[colour] for key, colour in names.items()}
    )
