"""Positions and static values as text, for people: rows are counted from the bottom left."""

from engine.board cimport Board, line_at, threat_at
from engine.evaluate cimport evaluate, explanation, move_score
from engine.geometry cimport cell_at
from engine.net cimport Net
from engine.rules cimport is_forbidden
from engine.types cimport BLACK, EMPTY, opponent_of

from engine.model import Stone

# Names of the patterns and threats, as explain() shows them; numbered as in patterns.pxd.
PATTERN_NAMES = (
    "dead", "overline", "blocked one", "one", "blocked two", "tight two", "two", "wide two",
    "blocked three", "three", "wide three", "four", "double four", "open four", "five",
)
THREAT_NAMES = (
    "none", "forbidden", "three", "double three", "four", "four-three", "double four",
    "open four", "five",
)


cdef object dump(const Board* b, str rule_name):
    """The position as engine.text reads it, with the points forbidden to Black marked `!`."""
    lines = [f"rule: {rule_name}", f"to move: {Stone(b.side).name.lower()}",
             "   " + " ".join(chr(ord("a") + x) for x in range(b.width))]
    for y in range(b.height):
        row = []
        for x in range(b.width):
            cell = cell_at(x, y)
            foul = b.stone[cell] == EMPTY and is_forbidden(<Board*>b, cell, BLACK)
            row.append("!" if foul else ".XO#"[b.stone[cell]])
        lines.append(f"{b.height - y:2} " + " ".join(row))
    return "\n".join(lines)


cdef object explain(Board* b, Net* net):
    """The parts of the static value, and the eight points that ordering puts first."""
    from engine.text import point_name      # here, to keep it out of start-up

    cdef int side = b.side, other = opponent_of(b.side)
    rows = []
    for y in range(b.height):
        for x in range(b.width):
            cell = cell_at(x, y)
            if b.stone[cell] == EMPTY:
                rows.append((-move_score(b, cell, side), y, x, cell))
    lines = [
        f"static value {evaluate(b, net)} for {Stone(side).name.lower()}",
        *explanation(b, net),
        "best points by ordering:",
    ]
    for order, y, x, cell in sorted(rows)[:8]:
        own = [PATTERN_NAMES[line_at(b, cell, d, side)] for d in range(4)]
        theirs = [PATTERN_NAMES[line_at(b, cell, d, other)] for d in range(4)]
        name = point_name((x, y), b.height)
        lines.append(
            f"  {name}: {-order}; own {THREAT_NAMES[threat_at(b, cell, side)]}"
            f" ({', '.join(own)}); other {THREAT_NAMES[threat_at(b, cell, other)]}"
            f" ({', '.join(theirs)})")
    return "\n".join(lines)
