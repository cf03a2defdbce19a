"""Types of the compiled module engine/trace.pyx."""

from array import array

from engine.model import Position

def codes_of_game(position: Position) -> list[tuple[int, bool, array[int]]]: ...
def make_undo_seconds(position: Position, repeats: int) -> float: ...
