"""The parameters of the search: the one table of what can be tuned besides the values file.

setup.py makes the struct Params (params.pxd) of its names. Not in the table: what the values file
holds, and the sizes of arrays and of fixed tables, which are constants beside their structs
(MAX_FOURS, MEMO_SIZE, PROOF_SETS ...).
"""

from __future__ import annotations

from typing import NamedTuple


class Parameter(NamedTuple):
    """One tunable: every value from `low` to `high` is safe. It may make the engine weaker, but not
    incorrect or unable to answer."""

    name: str
    default: int
    low: int
    high: int
    unit: str
    meaning: str


# fmt: off
# The one table of what can be tuned in the search. Defaults are set by hand or by tuning;
# a commit that changes one names the match that supports it (docs/ledger/).
_ROWS: tuple[tuple[str, int, int, int, str, str], ...] = (
    # -- iterations: the window round the last value
    ("aspiration_window", 30, 5, 500, "centi-stones",
     "half width of the first window around the last value"),
    ("aspiration_depth_plies", 4, 1, 50, "plies",
     "depth of the first iteration that uses a window"),
    ("aspiration_growth", 3, 2, 20, "factor",
     "the window grows by this when the value falls outside it"),
    ("aspiration_limit", 1000, 10, 9000, "centi-stones",
     "a wider half width opens the window on that side"),
    # -- cuts that need no move (step 8), nodes searched less deep (step 9)
    ("razor_margin", 131, 0, 2000, "centi-stones",
     "per ply: a node this far below alpha is only searched for a VCF"),
    ("razor_depth", 200, 0, 1000, "hundredths of a ply", "deepest node that razoring may cut"),
    ("futility_margin", 89, 0, 1000, "centi-stones", "per ply: a node this far above beta is cut"),
    ("futility_depth", 600, 0, 9000, "hundredths of a ply",
     "deepest node that futility pruning may cut"),
    ("iir_depth", 400, 0, 10000, "hundredths of a ply",
     "shallowest node that is searched less deep without a table move"),
    ("iir_reduction", 100, 0, 500, "hundredths of a ply",
     "by how much less deep such a node is searched"),
    ("old_move_entry", 400, 0, 10000, "hundredths of a ply",
     "a table entry that is this much shallower than the node counts as old"),
    ("old_move_reduction", 50, 0, 500, "hundredths of a ply",
     "by how much less deep a node is searched where a fail-high is expected and the entry is old"),
    # -- static values corrected by their errors (step 6)
    ("error_share", 40, 0, 200, "per cent", "of each mean error that is added to a static value"),
    ("error_rate", 16, 1, 64, "1024ths",
     "per ply of a search: how far a mean error moves towards the error that it has shown"),
    ("error_limit", 400, 1, 2000, "centi-stones", "larger errors count as this one"),
    # -- late moves (steps 10 and 12), extensions (step 11)
    ("lmp_base", 4, 1, 60, "moves", "moves of every node that are always searched"),
    ("lmp_linear", 171, 0, 2000, "hundredths of a move",
     "more moves that are always searched, per ply"),
    ("lmp_square", 5, 0, 500, "hundredths of a move",
     "more moves that are always searched, per ply squared"),
    ("lmp_flat", 50, 0, 100, "per cent",
     "share of that growth where the static value has not improved"),
    ("lmp_pv", 200, 100, 10000, "per cent",
     "moves on the principal variation, as a share of those that other nodes always search"),
    ("lmr_scale", 171, 10, 800, "per cent",
     "late move reduction: share of log2(depth) * log2(move number) / 4 plies"),
    ("lmr_base", 29, 0, 300, "hundredths of a ply",
     "late move reduction: added to every one"),
    ("lmr_depth", 200, 1, 5000, "hundredths of a ply",
     "shallowest node whose late moves are reduced"),
    ("lmr_cut", 67, 0, 1000, "hundredths of a ply", "added where a fail-high is expected"),
    ("lmr_pv", 100, 0, 1000, "hundredths of a ply",
     "taken off where the node is or was on the principal variation"),
    ("lmr_three", 100, 0, 1000, "hundredths of a ply",
     "taken off for a move that makes a three"),
    ("root_lmr_depth", 300, 100, 5000, "hundredths of a ply",
     "depth of the first iteration that reduces late root moves"),
    ("root_lmr_moves", 3, 1, 100, "moves", "root moves that are never reduced"),
    ("root_lmr_less", 100, 0, 500, "hundredths of a ply",
     "taken off the reduction of a root move"),
    ("history_divisor", 8192, 512, 65536, "history points",
     "points of a move that take one ply off its reduction"),
    ("singular_depth", 700, 300, 5000, "hundredths of a ply",
     "shallowest node that tests its table move for being singular"),
    ("singular_entry", 300, 0, 2000, "hundredths of a ply",
     "the table entry of that move may be this much shallower than the node"),
    ("singular_margin", 30, 0, 500, "tenths of a centi-stone",
     "per ply: how much worse all other moves must be"),
    # -- history: how often moves have caused cuts
    ("history_points", 32, 1, 1000, "history points", "earned by a cut, times the depth squared"),
    ("history_points_limit", 4000, 1, 16000, "history points", "most that one cut earns"),
    ("history_limit", 16000, 1000, 32000, "history points", "most that a move can have"),
    ("history_shift", 5, 0, 14, "bits",
     "points are divided by two to this power for the ordering score"),
    ("history_age_divisor", 2, 1, 100, "factor",
     "points are divided by this between two moves of a game"),
    # -- the net (docs/NET.md)
    ("use_net", 1, 0, 1, "switch", "0: the static value and the order of moves without the net"),
    ("policy_points", 192, 0, 1000, "points",
     "ordering score of one logit of the net's policy; 0: moves are ordered by the table"),
    ("policy_depth", 300, 0, 2000, "hundredths of a ply",
     "shallowest node that asks the policy; the root always does"),
    ("policy_table", 103, 0, 400, "per cent",
     "of the table's ordering score, added to that of the policy"),
    ("policy_lmr", 25, 0, 200, "hundredths of a ply",
     "late move reduction: a quiet move's, for each logit that its policy is below the mean; 0, or"
     " no policy_points: none"),
    ("policy_lmr_base", 115, 0, 500, "hundredths of a ply",
     "late move reduction: added to that of a quiet move by its policy, which is at least 0"),
    # -- transposition table: what is replaced
    ("table_age_plies", 4, 0, 15, "plies",
     "an entry counts as this much shallower for each search since it was stored"),
    ("table_keep_plies", 3, 0, 50, "plies",
     "a bound does not replace an entry of this search that is deeper by more"),
    # -- victory by fours (VCF)
    ("vcf_leaf_nodes", 20, 0, 100000, "nodes", "budget of the VCF search at a leaf"),
    ("vcf_node_nodes", 20, 0, 100000, "nodes",
     "budget of the VCF search at a node about to be razored"),
    ("vcf_root_nodes", 20000, 0, 10000000, "nodes",
     "budget of the VCF search at the root, before the first iteration"),
    ("vcf_root_lengths", 8, 2, 60, "fours",
     "the root tries every length of a VCF up to this, then longer steps"),
    ("vcf_long_nodes", 10000, 0, 10000000, "nodes",
     "budget for a VCF of any length when that of the root is used up"),
    ("vcf_poll_nodes", 64, 1, 65536, "nodes", "a VCF search looks at the clock this often"),
    # -- victory by threats (VCT) at the root of an analysis: two looks with the threat solver
    ("vct_stones", 5, 1, 484, "stones",
     "an analysis looks for a win by threats from this many stones on"),
    ("vct_early_share", 5, 0, 100, "per cent",
     "of the limits: the look for threes and fours before the first iteration"),
    ("vct_late_after", 30, 0, 100, "per cent",
     "of the limits: the search gets this much before the second look"),
    ("vct_late_share", 30, 0, 100, "per cent",
     "of the limits: the second look, for longer wins and quiet threats"),
    ("vct_untimed_nodes", 50000, 0, 10000000, "nodes",
     "budget of a look where depth alone limits the search"),
    ("vct_leaf_nodes", 10, 0, 100000, "nodes",
     "budget of the VCF search at each position of a look"),
    # -- the threat solver: solve, solve_all, defences (vct.pyx, solver.pyx)
    ("solver_vcf_nodes", 10, 0, 100000, "nodes", "budget of the VCF search at each position"),
    ("solver_threat_vcf_nodes", 40, 0, 100000, "nodes",
     "budget to find the VCF that a quiet move threatens"),
    ("solver_root_vcf_nodes", 20000, 0, 10000000, "nodes", "budget of the VCF search at the root"),
    ("solver_short_nodes", 30000, 0, 100000000, "nodes",
     "most that a shorter win is looked for with, if it was not asked for"),
    ("solver_round_nodes", 500, 1, 100000000, "nodes",
     "budget for a defence at first; each round has four times that of the one before"),
    ("solver_threes_nodes", 300000, 0, 100000000, "nodes",
     "budget for threes and fours, before quiet threats are tried"),
    ("solver_level_nodes", 300000, 1, 100000000, "nodes",
     "budget of the first level of a search; each level has three times that of the one before"),
    ("solver_threat_nodes", 100000, 0, 100000000, "nodes",
     "budget to find the win that a quiet first move threatens"),
    ("solver_reply_nodes", 200000, 0, 100000000, "nodes",
     "budget to find a win after each reply to a quiet first move"),
    ("solver_quiet_depth", 1, 0, 10, "moves", "quiet moves that may follow a quiet first move"),
    ("solver_strong_moves", 10, 1, 200, "moves", "moves tried as a quiet first move"),
    ("solver_three_proof", 3, 1, 1000, "proof number",
     "first proof number of a three (of a four: 1)"),
    ("solver_quiet_proof", 4, 1, 1000, "proof number", "first proof number of a quiet threat"),
    ("solver_slack", 20, 0, 1000, "per cent",
     "a child is searched until it is this much worse than the second best"),
    ("solver_poll_nodes", 256, 16, 65536, "nodes",
     "the solver looks at the clock and the stop flag this often"),
    # -- time
    ("reserve_ms", 30, 0, 1000, "ms", "kept back from every time limit"),
    ("default_turn_ms", 5000, 1, 600000, "ms", "time of a move that has no limit at all"),
    ("least_turn_ms", 2, 1, 1000, "ms", "least time of a move, also where the limit is 0"),
    ("expected_moves", 22, 2, 200, "moves",
     "a usual move gets the remaining match time divided by this"),
    ("most_of_match", 20, 1, 100, "per cent",
     "most of the remaining match time that one move may use"),
    ("plentiful_moves", 60, 2, 1000, "moves",
     "a turn limit that the match time allows for this many moves is used up at every move"),
    ("early_stones", 8, 0, 400, "stones",
     "on the board when the phase that decides the game begins"),
    ("late_stones", 30, 0, 400, "stones", "on the board when that phase ends"),
    ("middle_share", 125, 10, 400, "per cent",
     "of the time of a usual move: what a move of that phase gets"),
    ("settled_share", 10, 0, 10, "per cent",
     "taken off the time of a usual move for each iteration with the same move"),
    ("settled_iterations", 5, 0, 10, "iterations", "most iterations that count for settled_share"),
    ("falling_share", 100, 0, 1000, "per cent",
     "added to the time of a usual move for each stone that the value has fallen"),
    ("falling_limit", 100, 0, 400, "per cent", "most that is added for a falling value"),
    ("effort_least", 60, 0, 99, "per cent",
     "of the nodes go to the best move: with a larger share the move gets less time"),
    ("effort_share", 50, 0, 100, "per cent",
     "of the time of a move: taken off where all nodes go to the best one, and in"
     " between in proportion"),
    ("decided_value", 500, 50, 9000, "centi-stones",
     "a position worth this much to either side is decided"),
    ("decided_share", 60, 5, 100, "per cent", "of the time of a move: what is left of it there"),
    ("cut_share", 250, 100, 1000, "per cent",
     "of the time in which iterations begin: one that lasts longer is broken off"),
    ("poll_nodes", 256, 16, 65536, "nodes",
     "the search looks at the clock and the stop flag this often"),
    ("usual_gap_us", 2000, 0, 1000000, "us",
     "a gap up to this between two looks at the clock is not late"),
    ("stopped_gap_us", 500000, 1000, 60000000, "us",
     "a longer gap is ignored: the process was suspended"),
    ("late_limit_us", 100000, 0, 10000000, "us",
     "most that is kept back because looks at the clock came late"),
    ("late_share", 50, 0, 90, "per cent",
     "late_limit_us as a share of the time of the move; the lower one applies"),
    ("late_forget", 25, 0, 100, "per cent", "share of the lateness that is forgotten at each move"),
)
# fmt: on

PARAMS = tuple(Parameter(*row) for row in _ROWS)
