// Pictures of a game, drawn as the board on the page is: the position as PNG, or the moves one by
// one as an animated GIF.

import { drawBoard } from "./board.js";
import { svg } from "./dom.js";

const MOVE_CS = 60; // hundredths of a second for each move, and for the last one
const END_CS = 300;
const UNCHANGED = 255; // the colour of pixels that stay as they were
const [CLEAR, END] = [256, 257]; // codes of the compression of GIF

const styles = fetch("./board.css").then((answer) => answer.text());

// The position, as drawBoard takes it, on a canvas that is `scale` times as large.
async function painted(position, scale) {
  const picture = drawBoard({ opening: 0, ...position });
  const { width, height } = picture.viewBox.baseVal;
  picture.setAttribute("width", width * scale);
  picture.setAttribute("height", height * scale);
  picture.prepend(svg("style", {}, await styles));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  await image.decode();
  const canvas = new OffscreenCanvas(width * scale, height * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "white"; // behind the round corners
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return canvas;
}

const pixelsOf = (canvas) =>
  new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);

// The most frequent colours. Those that differ little count as one, their mean: else the shades of
// wood would leave no place for stones.
function paletteOf(pixels) {
  const groups = new Map();
  for (const pixel of pixels) {
    const group = groups.get(pixel & 0xf8f8f8) || [0, 0, 0, 0];
    [0, 8, 16].forEach((bits, i) => { group[i] += (pixel >> bits) & 255; });
    group[3] += 1;
    groups.set(pixel & 0xf8f8f8, group);
  }
  return [...groups.values()].sort((one, other) => other[3] - one[3]).slice(0, UNCHANGED)
    .map(([r, g, b, count]) => [r, g, b].map((sum) => Math.round(sum / count)));
}

// Gives the number of the nearest colour for each pixel.
function nearestIn(palette) {
  const known = new Map();
  const distance = (pixel, [r, g, b]) => ((pixel & 255) - r) ** 2 + (((pixel >> 8) & 255) - g) ** 2
    + (((pixel >> 16) & 255) - b) ** 2;
  return (pixel) => {
    if (!known.has(pixel)) {
      const distances = palette.map((colour) => distance(pixel, colour));
      known.set(pixel, distances.indexOf(Math.min(...distances)));
    }
    return known.get(pixel);
  };
}

const bytesOf = (palette) => [...Array(256)].flatMap((_, i) => palette[i] || [0, 0, 0]);
const long = (number) => [number >>> 24, number >>> 16, number >>> 8, number];

// A part of a PNG, with its length and its checksum.
function chunk(name, data) {
  const bytes = Uint8Array.from([...name].map((letter) => letter.charCodeAt()).concat(data));
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i += 1) crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
  }
  return [long(data.length), bytes, long(~crc)].map((part) => Uint8Array.from(part));
}

// With a palette it is a tenth of what the browser would write.
export async function pngOf(position) {
  const canvas = await painted(position, 2);
  const [{ width, height }, pixels] = [canvas, pixelsOf(canvas)];
  const palette = paletteOf(pixels);
  const nearest = nearestIn(palette);
  const rows = new Uint8Array((width + 1) * height); // each begins with a zero: as it is
  pixels.forEach((pixel, at) => { rows[at + Math.floor(at / width) + 1] = nearest(pixel); });
  const packed = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate")));
  return new Blob([Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]),
    ...chunk("IHDR", [...long(width), ...long(height), 8, 3, 0, 0, 0]), ...chunk("PLTE", bytesOf(palette)),
    ...chunk("IDAT", [...new Uint8Array(await packed.arrayBuffer())]), ...chunk("IEND", [])], { type: "image/png" });
}

// The colours of a frame by the LZW of GIF, in blocks of up to 255 bytes.
function compressed(colours) {
  const bytes = [];
  let [bits, held, size, next, codes] = [0, 0, 9, END + 1, new Map()];
  const put = (code) => {
    bits |= code << held;
    for (held += size; held >= 8; held -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  put(CLEAR);
  let prefix = colours[0];
  for (const colour of colours.subarray(1)) {
    const row = (prefix << 8) | colour;
    const code = codes.get(row);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = colour;
    if (next === 4096) {
      put(CLEAR);
      [size, next, codes] = [9, END + 1, new Map()];
    } else {
      if (next === 1 << size) size += 1;
      codes.set(row, next);
      next += 1;
    }
  }
  put(prefix);
  put(END);
  bytes.push(bits & 255);
  const blocks = [8];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

const word = (number) => [number & 255, number >> 8];

export async function gifOf(position) {
  const frames = [];
  let size = null;
  for (let move = 0; move <= position.move; move += 1) {
    const canvas = await painted({ ...position, cells: position.cells.slice(0, position.move), move }, 1);
    size = [canvas.width, canvas.height];
    frames.push(pixelsOf(canvas));
  }
  const palette = paletteOf(frames.at(-1));
  const nearest = nearestIn(palette);
  const parts = [["GIF89a"], [...size.flatMap(word), 0xf7, 0, 0],
    bytesOf(palette),
    [0x21, 0xff, 11], ["NETSCAPE2.0"], [3, 1, 0, 0, 0]]; // again and again
  frames.forEach((pixels, i) => {
    const before = frames[i - 1] || [];
    const colours = Uint8Array.from(pixels, (pixel, at) => (pixel === before[at] ? UNCHANGED : nearest(pixel)));
    const time = i === frames.length - 1 ? END_CS : MOVE_CS;
    parts.push([0x21, 0xf9, 4, 5, ...word(time), UNCHANGED, 0],
      [0x2c, 0, 0, 0, 0, ...size.flatMap(word), 0], compressed(colours));
  });
  parts.push([0x3b]);
  return new Blob(parts.map((part) => (typeof part[0] === "string" ? part[0] : Uint8Array.from(part))),
    { type: "image/gif" });
}
