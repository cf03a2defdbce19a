# Proof trees of won positions, as types of engine.model.
from engine.board cimport Board
from engine.vct cimport Vct

cdef object attack_node(Vct* v, dict known)
cdef object answers_to_threat(Vct* v, dict known)
cdef int plies_of(object node, dict known) except -1
cdef tuple longest_line(object node, dict known)
cdef list candidates_against(Board* b, object proof, int side)
