"""Proofs of the threat solver that anybody can replay.

    attack_node         the proof of a won position
    answers_to_threat   the same after a threat: its replies and their answers
    candidates_against  where a stone of the defender might spoil a proof

A proof names the replies that need an answer of their own, and one answer for all others:

    after a four     all other replies leave the five that it threatens;
    after a three    all other replies leave an open four or a double four, and make no four;
    after any other  all other replies leave the VCF that it threatens (threats.zone_of_vcf).

A five is prevented by a stone on its cell, under caro rules also by one beyond its ends; opposing
stones change nothing else about a line. So few replies have to be named, and each is tried on the
board. For that the tree is walked once more. Where the table has lost a move, the solver finds it
again without limits. A win may fill the board, so what recurses here keeps its lists of moves in the
solver and not on the stack.
"""

from engine.board cimport (Board, beyond_run, cells_with, count_of, ends_block, first_with,
                           is_empty, line_at, make, position_key, threat_at, undo)
from engine.convert cimport point_of
from engine.geometry cimport DIRECTIONS, cell_at, step_of
from engine.movegen cimport MoveList, add_cells, cell_of_key, generate_fours
from engine.patterns cimport LINE_BLOCKED_THREE, LINE_FIVE, THREAT_FIVE
from engine.rules cimport is_forbidden, may_be_foul
from engine.threats cimport find_vcf, has_won_four, won_four_cell, zone_of_vcf
from engine.types cimport BLACK, CELLS, NO_CELL, WORDS, opponent_of, uint64_t
from engine.vct cimport INFINITE, Standing, Vct, attack, find_threat

from engine.model import ProofNode


cdef set cells_against_five(const Board* b, int five, int side):
    """The empty cells where an opposing stone may take away the five on the cell `five`."""
    cdef int d, end
    found = {five}
    if ends_block(b):
        for d in range(DIRECTIONS):
            if line_at(b, five, d, side) == LINE_FIVE:
                for end in (beyond_run(b, five, step_of(d), side),
                            beyond_run(b, five, -step_of(d), side)):
                    if is_empty(b, end):
                        found.add(end)
    return found


cdef set cells_against_won_four(Vct* v, int four):
    """The empty cells where an opposing stone may spoil the open four on the cell `four`."""
    cdef Board* b = v.board
    cdef MoveList* fives = &v.vcf.list
    cdef int side = v.side, i
    found = {four}
    fives.count = 0
    make(b, four, side)
    add_cells(fives, cells_with(b, side, THREAT_FIVE))
    for i in range(fives.count):
        found |= cells_against_five(b, cell_of_key(fives.key[i]), side)
    undo(b)
    return found


# The proof of a five on each cell. Most proofs hold many of them, so one is made for each.
cdef list FIVES = [None] * CELLS


cdef object node_of_five(int cell):
    """The proof that a five on the cell wins."""
    if FIVES[cell] is None:
        FIVES[cell] = ProofNode(point_of(cell), {}, None)
    return FIVES[cell]


cdef object five_node(const Board* b, int side):
    return node_of_five(first_with(b, side, THREAT_FIVE))


cdef object won_four_node(Board* b, int cell, int side):
    """The proof where a four on the cell cannot be stopped and the opponent has no five.

    A block that is a foul of Black is answered as well: the proof also holds for positions with one
    more stone, which may make the block legal.
    """
    cdef int five, reply, other = opponent_of(side)
    replies = {}
    make(b, cell, side)
    five = first_with(b, side, THREAT_FIVE)
    for reply in sorted(cells_against_five(b, five, side)):
        make(b, reply, other)
        # Without another five the block is a foul here and stays one: nothing answers it.
        if count_of(b, side, THREAT_FIVE) and not (is_empty(b, five)
                                                   and threat_at(b, five, side) == THREAT_FIVE):
            replies[point_of(reply)] = five_node(b, side)
        undo(b)
    otherwise = five_node(b, side)
    undo(b)
    return ProofNode(point_of(cell), replies, otherwise)


cdef object line_node(Board* b, list line, int side):
    """The proof of a VCF from its line (not under caro rules, where a four has several answers)."""
    cdef int i, last = line[len(line) - 1]
    fives = []
    for i in range(0, len(line) - 1, 2):
        make(b, line[i], side)
        fives.append(five_node(b, side))
        make(b, line[i + 1], opponent_of(side))
    if threat_at(b, last, side) == THREAT_FIVE:
        node = node_of_five(last)
    else:
        node = won_four_node(b, last, side)
    for i in range(len(line) - 3, -1, -2):
        undo(b)
        undo(b)
        node = ProofNode(point_of(line[i]), {point_of(line[i + 1]): node}, fives.pop())
    return node


cdef object tree_node(Vct* v):
    """The proof of a VCF under caro rules, where a four has several answers: by the same lines that
    zone_of_vcf() follows. The attacker is to move; None if a stop prevented that they were found."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), cell, five, reply
    if find_vcf(&v.vcf) == 0:
        return None
    cell = v.vcf.line[0]
    if threat_at(b, cell, side) == THREAT_FIVE:
        return five_node(b, side)
    if v.vcf.line_length == 1:
        return won_four_node(b, cell, side)
    make(b, cell, side)
    five = first_with(b, side, THREAT_FIVE)
    otherwise = five_node(b, side)
    replies = {}
    for reply in sorted(cells_against_five(b, five, side)):
        make(b, reply, other)
        then = otherwise
        if not (is_empty(b, five) and threat_at(b, five, side) == THREAT_FIVE):
            then = tree_node(v)
            replies[point_of(reply)] = then
        undo(b)
        if then is None:
            otherwise = None
            break
    undo(b)
    return None if otherwise is None else ProofNode(point_of(cell), replies, otherwise)


cdef object attack_node(Vct* v, dict known):
    """The proof of a won position with the attacker to move; None if there is none to be found."""
    cdef Board* b = v.board
    cdef int side = v.side
    cdef Standing s
    if count_of(b, side, THREAT_FIVE):
        return five_node(b, side)
    if has_won_four(b, side) and count_of(b, opponent_of(side), THREAT_FIVE) == 0:
        return won_four_node(b, won_four_cell(b, side), side)
    key = position_key(b)
    if key in known:
        return known[key]
    with nogil:
        attack(v, 0, INFINITE, INFINITE, &s)
    if s.proof:
        return None
    make(b, s.cell, side)
    answers = answers_to_threat(v, known)
    undo(b)
    if answers is None:
        return None
    known[key] = ProofNode(point_of(s.cell), answers[0], answers[1])
    return known[key]


cdef object answers_to_threat(Vct* v, dict known):
    """(replies, otherwise) after a threat that wins, the defender to move; None if a reply has no
    answer."""
    cdef Board* b = v.board
    cdef int side = v.side, other = opponent_of(side), reply, five = NO_CELL, i
    cdef bint is_four = count_of(b, side, THREAT_FIVE) > 0
    cdef MoveList* fours = &v.vcf.list
    cdef uint64_t zone[WORDS]
    if is_four:
        five = first_with(b, side, THREAT_FIVE)
        otherwise = five_node(b, side)
        candidates = cells_against_five(b, five, side)
    elif has_won_four(b, side):
        five = won_four_cell(b, side)
        otherwise = won_four_node(b, five, side)
        candidates = cells_against_won_four(v, five)
        fours.count = 0
        generate_fours(b, other, fours)
        candidates |= {cell_of_key(fours.key[i]) for i in range(fours.count)}
    else:
        if find_threat(v) == 0:
            return None
        line = [v.vcf.line[i] for i in range(v.vcf.line_length)]
        if not zone_of_vcf(&v.vcf, zone):
            return None
        candidates = {i for i in range(CELLS) if (zone[i >> 6] >> (i & 63)) & 1}
        b.side = side
        otherwise = tree_node(v) if ends_block(b) else line_node(b, line, side)
        b.side = other
        if otherwise is None:
            return None
    replies = {}
    for reply in sorted(candidates):
        if is_forbidden(b, reply, other):
            continue
        make(b, reply, other)
        then = otherwise
        if not (is_four and is_empty(b, five) and threat_at(b, five, side) == THREAT_FIVE):
            then = attack_node(v, known)
            replies[point_of(reply)] = then
        undo(b)
        if then is None:
            return None
    return replies, otherwise


cdef int plies_of(object node, dict known) except -1:
    """Stones until the five in the longest line of a proof."""
    cdef int longest
    if node.otherwise is None:
        return 1
    if id(node) in known:
        return known[id(node)]
    longest = plies_of(node.otherwise, known)
    for then in node.replies.values():
        longest = max(longest, plies_of(then, known))
    known[id(node)] = longest + 2
    return longest + 2


cdef tuple longest_line(object node, dict known):
    """The moves of the longest line with named replies."""
    line = [node.move]
    while node.replies:
        reply = max(node.replies, key=lambda r: (plies_of(node.replies[r], known), -r.y, -r.x))
        node = node.replies[reply]
        line += [reply, node.move]
    return tuple(line)


cdef set cells_of(object node, dict known):
    """The cells of every move and reply of a proof."""
    if id(node) in known:
        return known[id(node)]
    found = {cell_at(node.move.x, node.move.y)}
    for reply, then in node.replies.items():
        found.add(cell_at(reply.x, reply.y))
        found |= cells_of(then, known)
    if node.otherwise is not None:
        found |= cells_of(node.otherwise, known)
    known[id(node)] = found
    return found


cdef list candidates_against(Board* b, object proof, int side):
    """The cells where a stone of `side` might spoil a proof of the opponent's win.

    Such a stone must take something from the attacker, which needs a line through one of the
    attacker's moves, or give the defender a new four: together with two stones on the board (then
    it makes a blocked three now), or together with a reply of the proof on one line with it. A
    stone elsewhere changes nothing. In renju a distant stone may decide whether a point is forbidden, so
    all cells are tried.
    """
    cdef int cell, d, i, step
    found = set()
    cells = cells_of(proof, {})
    for cell in range(CELLS):
        if not is_empty(b, cell):
            continue
        near = may_be_foul(b, BLACK) or cell in cells
        for d in range(DIRECTIONS):
            near = near or line_at(b, cell, d, side) >= LINE_BLOCKED_THREE
            step = step_of(d)
            for i in range(-b.tables.reach, b.tables.reach + 1):
                near = near or cell + i * step in cells
        if near and not is_forbidden(b, cell, side):
            found.add(cell)
    return sorted(found)
