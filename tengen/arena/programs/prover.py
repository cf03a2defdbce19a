"""A prover: a program that proves wins, so that games need not be played to their end.

It reads a position from a line of its input and writes one line: a proof that the side to move
wins, or null. Both are JSON documents as in `tengen/game/proof_file.py`; a position is such a
document without `plies` and `proof`. Nothing is taken on trust: the referee replays every proof
against every legal defence, and one that fails counts as none. `tengen judge` is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.spec import CannotStart
from tengen.game.proof import check_proof
from tengen.game.proof_file import position_record, read_proof
from tengen.game.referee import Referee
from tengen.game.values import json_text

# A prover that needs longer has failed. A proof whose replay needs more stones counts as none.
_PATIENCE_S = 60.0
_MOST_STONES = 300_000
_LONGEST_BYTES = 1 << 26


class Prover:
    """A prover by its command; it is started when it is first asked."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: EngineProcess | None = None
        self._is_interrupted = False

    def proves(self, board: Referee, colour: int) -> int:
        """Within how many stones `colour`, to move, wins whatever the opponent does; 0 without a
        proof. ValueError for one that cannot be started, ends, or does not keep to its form."""
        answer = self._answer(json_text(position_record(board, colour)))
        if answer is None or answer.strip() == "null":
            return 0
        try:
            proof = read_proof(answer).proof
        except ValueError as error:
            raise ValueError(f"--judge: the answer {error}") from None
        return check_proof(board, colour, proof, max_nodes=_MOST_STONES).plies

    def interrupt(self) -> None:
        """Kills the program, from any thread."""
        self._is_interrupted = True
        if self._process is not None:
            self._process.kill_tree()

    def close(self) -> None:
        """Ends the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _answer(self, line: str) -> str | None:
        """The line that answers; None when the run is being stopped."""
        try:
            if self._process is None:
                self._process = EngineProcess(self._command, longest=_LONGEST_BYTES)
            self._process.send([line])
            found = self._process.next_line(self._process.now_s() + _PATIENCE_S)
        except CannotStart as error:
            raise ValueError(f"--judge: {error}") from None
        except (EOFError, OSError):
            if self._is_interrupted:
                return None
            assert self._process is not None
            _, said = self._process.finish()
            raise ValueError(f"--judge: the program has ended{said and ': ' + said}") from None
        if found is None:
            raise ValueError(f"--judge: no answer in {_PATIENCE_S:g} s")
        return found.raw.decode("utf-8", "replace")
