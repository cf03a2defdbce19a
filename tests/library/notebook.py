"""Runs a notebook without Jupyter: the code of its cells, and what a cell shows.

python -m tests.library.notebook examples/tour.ipynb      writes the outputs into the notebook
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any


def run(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each cell with code, with the outputs that running it gives, as a notebook has them: what it
    prints, and the value of its last line as text and, where it has one, as a picture."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed, value = io.StringIO(), None
        with redirect_stdout(printed):
            exec(compile(tree, "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            lines = printed.getvalue().splitlines(keepends=True)
            outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
        if value is not None:
            data = {"text/plain": [repr(value)]}
            if hasattr(value, "_repr_svg_"):
                data = {"image/svg+xml": [value._repr_svg_()], **data}
            shown = {"data": data, "metadata": {}, "output_type": "execute_result"}
            outputs.append({**shown, "execution_count": cell["execution_count"]})
        yield cell, outputs


if __name__ == "__main__":
    path = Path(sys.argv[1])
    read = json.loads(path.read_text(encoding="utf-8"))
    for cell, outputs in run(read):
        cell["outputs"] = outputs
    text = json.dumps(read, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
