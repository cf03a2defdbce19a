"""Analysis: the three best moves of a position, each with its value and what follows."""

from tengen import Engine, Position

analysis = Engine().analyze(Position("h8 i9 g9 i7"), nodes=100_000, lines=3)

for number, line in enumerate(analysis.lines, 1):
    print(f"{number}. {line}")
