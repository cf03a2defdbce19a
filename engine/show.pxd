# Positions and static values as text, for people.

from engine.board cimport Board
from engine.net cimport Net

cdef object dump(const Board* b, str rule_name)
cdef object explain(Board* b, Net* net)
