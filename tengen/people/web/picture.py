"""The game as a picture: the position as PNG, or its moves one by one as an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from tengen.common.console import star_points
from tengen.game.referee import BLACK, Cell, Stone
from tengen.people.session.game import Game

# All lengths are in pixels of a picture twice as large, which is then made smaller: lines and
# stones get smooth edges.
_SCALE = 2
_CELL, _EDGE, _FAR_EDGE = 32 * _SCALE, 40 * _SCALE, 24 * _SCALE
_STONE = 14 * _SCALE
_WOOD, _LINE, _INK = "#e3b96f", "#6b4a1d", "#4a3413"
_BLACK, _WHITE, _LAST, _WON = "#1c1c1c", "#f7f4ee", "#c0392b", "#1f7a4d"
# Of an animated picture: for each move, and for the last one.
_MOVE_MS, _END_MS = 600, 3000


def png(game: Game, numbers_from: int) -> bytes:
    """The position on the board, with numbers on the stones from that move on; 0 = none."""
    file = io.BytesIO()
    _draw(game, len(game.moves), numbers_from).save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(game: Game, numbers_from: int) -> bytes:
    """The game from its beginning to the position on the board, without end.

    A move changes two cells: that of its stone, and that of the one before, which is the last no
    more. Both are cut out of pictures of the end.
    """
    count = len(game.moves)
    end = _draw(game, count, numbers_from).quantize(32, dither=Image.Dither.NONE)

    def like_end(image: Image.Image) -> Image.Image:
        return image.quantize(palette=end, dither=Image.Dither.NONE)

    older = like_end(_draw(game, count, numbers_from, frozenset()))
    newer = like_end(_draw(game, count, numbers_from, frozenset(range(1, count + 1))))
    frames = [like_end(_draw(game, 0, numbers_from))]
    for number in range(1, count):
        frame = frames[-1].copy()
        for source, move in ((older, number - 1), (newer, number)):
            if move:
                x, y = game.moves[move - 1].x, game.moves[move - 1].y
                left, top, right, bottom = (v // _SCALE for v in _box((x, y), _CELL // 2))
                cell = source.crop((left, top, right, bottom))
                frame.paste(cell, (left, top))
        frames.append(frame)
    if count:
        frames.append(end)
    file = io.BytesIO()
    frames[0].save(
        file, "GIF", save_all=True, append_images=frames[1:], loop=0,
        duration=[_MOVE_MS] * count + [_END_MS],
    )  # fmt: skip
    return file.getvalue()


def _draw(
    game: Game, shown: int, numbers_from: int, last: frozenset[int] | None = None
) -> Image.Image:
    """The position after so many moves; `last` are the numbers of moves that are marked as the last
    one, instead of that one and the row of five."""
    size = (_at(game.width - 1) + _FAR_EDGE, _at(game.height - 1) + _FAR_EDGE)
    image = Image.new("RGB", size, _WOOD)
    draw = ImageDraw.Draw(image)
    _draw_board(draw, game)
    moves = [(move.x, move.y, move.colour) for move in game.moves[:shown]]
    for stone in (*game.setup, *moves):
        _draw_stone(draw, stone)
    is_end = last is None and shown == len(game.moves)
    if is_end and game.outcome is not None and game.outcome.line:
        _draw_line(draw, game.outcome.line)
    last = frozenset([shown]) if last is None else last
    for number, stone in enumerate(moves, start=1):
        _draw_label(draw, stone, number, numbers_from, is_last=number in last)
    return image.reduce(_SCALE)


def _draw_board(draw: ImageDraw.ImageDraw, game: Game) -> None:
    right, bottom = _at(game.width - 1), _at(game.height - 1)
    for x in range(game.width):
        draw.line((_at(x), _at(0), _at(x), bottom), _LINE, _SCALE)
        draw.text((_at(x), _EDGE // 2 - 4), chr(ord("a") + x), _INK, _font(13), "mm")
    for y in range(game.height):
        draw.line((_at(0), _at(y), right, _at(y)), _LINE, _SCALE)
        draw.text((_EDGE // 2 - 8, _at(y)), str(game.height - y), _INK, _font(13), "mm")
    for x, y in star_points(game.width, game.height):
        draw.ellipse(_box((x, y), 3 * _SCALE), _LINE)


def _draw_stone(draw: ImageDraw.ImageDraw, stone: Stone) -> None:
    x, y, colour = stone
    fill = _BLACK if colour == BLACK else _WHITE
    draw.ellipse(_box((x, y), _STONE), fill, _INK, _SCALE)


def _draw_label(
    draw: ImageDraw.ImageDraw, stone: Stone, number: int, numbers_from: int, is_last: bool
) -> None:
    x, y, colour = stone
    if 0 < numbers_from <= number:
        ink = _LAST if is_last else _WHITE if colour == BLACK else _BLACK
        draw.text((_at(x), _at(y)), str(number), ink, _font(13 if number < 100 else 11), "mm")
    elif is_last:
        draw.ellipse(_box((x, y), 4 * _SCALE), _LAST)


def _draw_line(draw: ImageDraw.ImageDraw, line: Sequence[Cell]) -> None:
    for cell in line:
        draw.ellipse(_box(cell, _STONE), None, _WON, 3 * _SCALE)


def _at(line: int) -> int:
    return _EDGE + line * _CELL


def _box(cell: Cell, radius: int) -> tuple[int, int, int, int]:
    x, y = _at(cell[0]), _at(cell[1])
    return x - radius, y - radius, x + radius, y + radius


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * _SCALE)
