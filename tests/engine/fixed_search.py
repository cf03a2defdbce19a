"""A search that stays the same when nets are trained and numbers are tuned, for tests of what
happens in a certain position."""

from __future__ import annotations

from engine.api import Engine

# Without a net, and with the numbers from before the first tuning that was kept.
FIXED = {
    "use_net": 0,
    "error_share": 0,
    "lmp_pv": 10000,
    "old_move_reduction": 0,
    "razor_margin": 120,
    "futility_margin": 70,
    "lmp_linear": 130,
    "lmr_scale": 200,
    "lmr_base": 20,
    "lmr_cut": 100,
}


def fix_search(engine: Engine) -> None:
    """Sets the numbers of the search to FIXED."""
    for name, value in FIXED.items():
        engine.set_parameter(name, value)
