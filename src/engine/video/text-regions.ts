/** Parts of a picture that may hold words, and whether their letters are light or dark. */
import type { Picture } from './picture.ts';

/** A part of a picture, in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The rows that hold the letters; the rest is margin, which may lie beyond a box behind them. */
  readonly lines: { readonly top: number; readonly height: number };
  /** Whether its letters are lighter than what is around them. */
  readonly isLight: boolean;
}

type Box = Omit<Region, 'isLight'>;

/** Blocks that are no farther apart belong to one region: words of a line, lines of a paragraph. */
const nearColumns = 3;
const nearRows = 2;
/** What is left around a region, in pixels: letters reach a little beyond their blocks. */
const marginX = 24;
const marginY = 10;
/** A picture with more regions has texture all over: it is read in one piece. */
const mostRegions = 12;
/** A few letters wide. */
const stripWidth = 32;
/** What is far from the background. */
const clearContrast = 48;
/** Between a letter and its outline: pixels of neither colour. */
const blurred = 2;

/** How a picture is divided. */
export interface Grid {
  readonly columns: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly hasStroke: (block: number) => boolean;
}

/** Blocks from the first to the last row and column. */
interface Span {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * From top to bottom.
 * @param blocks that look like words, counted row by row
 */
export function regionsOf(picture: Picture, blocks: readonly number[], grid: Grid): Region[] {
  const spans = merged(grouped(blocks, grid.columns).map((group) => widened(spanOf(group, grid), grid)));
  const found = spans.length > mostRegions ? [spans.reduce(union)] : spans;
  return found
    .toSorted((a, b) => a.top - b.top || a.left - b.left)
    .map((span) => regionOf(picture, span, grid));
}

function spanOf(group: readonly number[], { columns }: Grid): Span {
  const rows = group.map((block) => Math.floor(block / columns));
  const across = group.map((block) => block % columns);
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...across),
    right: Math.max(...across),
  };
}

/** Lines go on where strokes are fewer, as with an l or a wide gap. */
function widened(span: Span, { columns, hasStroke }: Grid): Span {
  const isOfLine = (column: number): boolean => {
    for (let row = span.top; row <= span.bottom; row += 1) if (hasStroke(row * columns + column)) return true;
    return false;
  };
  let { left, right } = span;
  for (let x = left - 1; x >= Math.max(0, left - nearColumns); x -= 1) if (isOfLine(x)) left = x;
  for (let x = right + 1; x <= Math.min(columns - 1, right + nearColumns); x += 1) if (isOfLine(x)) right = x;
  return { ...span, left, right };
}

const union = (a: Span, b: Span): Span => ({
  top: Math.min(a.top, b.top),
  bottom: Math.max(a.bottom, b.bottom),
  left: Math.min(a.left, b.left),
  right: Math.max(a.right, b.right),
});

/** Those that touch are one. */
function merged(spans: readonly Span[]): Span[] {
  const touch = (a: Span, b: Span) =>
    a.left <= b.right + 1 && b.left <= a.right + 1 && a.top <= b.bottom + 1 && b.top <= a.bottom + 1;
  const found: Span[] = [];
  for (let span of spans) {
    for (let at = found.findIndex((each) => touch(each, span)); at >= 0;) {
      span = union(span, ...(found.splice(at, 1) as [Span]));
      at = found.findIndex((each) => touch(each, span));
    }
    found.push(span);
  }
  return found;
}

function regionOf(picture: Picture, span: Span, { blockWidth, blockHeight }: Grid): Region {
  const first = span.top * blockHeight;
  const lines = { top: first, height: (span.bottom + 1) * blockHeight - first };
  const left = Math.max(0, span.left * blockWidth - marginX);
  const top = Math.max(0, first - marginY);
  const right = Math.min(picture.width, (span.right + 1) * blockWidth + marginX);
  const bottom = Math.min(picture.height, lines.top + lines.height + marginY);
  const box = { left, top, width: right - left, height: bottom - top, lines };
  return { ...box, isLight: isLight(picture, box) };
}

/** Blocks that are near each other, in the order of their uppermost ones. */
function grouped(blocks: readonly number[], columns: number): number[][] {
  const left = new Set(blocks);
  const groups: number[][] = [];
  for (const first of blocks) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const block of group)
      for (const near of nearTo(block, columns)) if (left.delete(near)) group.push(near);
    groups.push(group);
  }
  return groups;
}

function* nearTo(block: number, columns: number): Generator<number> {
  const column = block % columns;
  for (let down = -nearRows; down <= nearRows; down += 1)
    for (let x = Math.max(0, column - nearColumns); x <= Math.min(columns - 1, column + nearColumns); x += 1)
      yield block + down * columns + x - column;
}

/**
 * Whether the letters are lighter than their background, which is most of a region: more pixels are far above the median
 * than far below. Letters with an outline have both; there it counts which of the two lies between the other. Strip by
 * strip, since backgrounds change from left to right.
 */
function isLight(picture: Picture, box: Box): boolean {
  const sides = sidesOf(picture, box);
  let lighter = 0;
  let enclosed = 0;
  for (let y = 0; y < box.height; y += 1) {
    const row = sides.subarray(y * box.width, (y + 1) * box.width);
    for (const side of row) lighter += side;
    enclosed += enclosedIn(row);
  }
  // About one for each letter and row where there are outlines.
  return Math.abs(enclosed) >= box.height ? enclosed > 0 : lighter > 0;
}

/** For each pixel 1 where it is far lighter than its background, -1 where it is far darker, else 0. */
function sidesOf(picture: Picture, box: Box): Int8Array {
  const background = backgroundOf(picture, box);
  const grey = greyOf(picture, box);
  const sides = new Int8Array(grey.length);
  for (let y = 0, at = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1, at += 1) {
      const contrast = (grey[at] ?? 0) - (background[x] ?? 0);
      if (Math.abs(contrast) > clearContrast) sides[at] = Math.sign(contrast);
    }
  return sides;
}

/** Brightness of a part, row after row. */
export function greyOf({ width, rgb }: Picture, box: Omit<Box, 'lines'>): Uint8Array {
  const grey = new Uint8Array(box.width * box.height);
  for (let y = 0, at = 0; y < box.height; y += 1) {
    let from = ((y + box.top) * width + box.left) * 3;
    for (let x = 0; x < box.width; x += 1, at += 1, from += 3)
      grey[at] = (77 * (rgb[from] ?? 0) + 150 * (rgb[from + 1] ?? 0) + 29 * (rgb[from + 2] ?? 0)) >> 8;
  }
  return grey;
}

/**
 * The value that this share of all values does not reach.
 * @param counts how often each value from 0 on occurs
 */
export function quantileOf(counts: Uint32Array, share: number): number {
  let left = Math.floor(counts.reduce((sum, count) => sum + count, 0) * share);
  return Math.max(
    0,
    counts.findIndex((count) => (left -= count) < 0),
  );
}

/** Brightness behind the letters for each column of a part: medians of strips, and values between them. */
export function backgroundOf(picture: Picture, box: Box): Float32Array {
  const count = Math.max(1, Math.round(box.width / stripWidth));
  const across = box.width / count;
  const medians = Array.from({ length: count }, (_, i) => {
    const left = Math.floor(i * across);
    const width = Math.floor((i + 1) * across) - left;
    const counts = new Uint32Array(256);
    for (const value of greyOf(picture, { ...box.lines, left: box.left + left, width }))
      counts[value] = (counts[value] ?? 0) + 1;
    return quantileOf(counts, 0.5);
  });
  return Float32Array.from({ length: box.width }, (_, x) => {
    const at = Math.min(count - 1, Math.max(0, (x + 0.5) / across - 0.5));
    const before = medians[Math.floor(at)] ?? 0;
    const after = medians[Math.floor(at) + 1] ?? before;
    return before + (after - before) * (at - Math.floor(at));
  });
}

/** How many light runs of a row lie between dark ones, less the dark ones between light ones. */
function enclosedIn(row: Int8Array): number {
  let count = 0;
  let before = 0;
  let current = 0;
  let gap = 0;
  for (const side of row) {
    gap = side === 0 ? gap + 1 : 0;
    if (side === current || (side === 0 && gap <= blurred)) continue;
    if (side !== 0 && side === before && current === -side) count += current;
    before = current;
    current = side;
  }
  return count;
}
