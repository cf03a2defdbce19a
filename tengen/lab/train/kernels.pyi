"""Types of the compiled module tengen/lab/train/kernels.pyx."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class Kernel:
    def __init__(
        self,
        rule: int,
        shift: int,
        use_avx2: bool,
        stones: NDArray[np.uint16],
        start: NDArray[np.int64],
        ply: NDArray[np.int16],
        size: NDArray[np.uint8],
        threats: NDArray[np.uint32],
        chosen: NDArray[np.int16],
        offsets: Sequence[int],
    ) -> None: ...
    def run(
        self,
        weights: NDArray[np.float32],
        samples: NDArray[np.int64],
        targets: NDArray[np.float32],
        results: NDArray[np.float32],
        gradient: NDArray[np.float32] | None,
        rounding: bool,
        value_weight: float,
        policy_weight: float,
        mean_weight: float,
        smoothing: float,
    ) -> None: ...
