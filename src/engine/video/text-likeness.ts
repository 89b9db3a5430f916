/**
 * Whether a picture may have words in it, cheaply: reading words takes a quarter of a second. Words are rows of blocks in
 * which brightness changes sharply up and down many times.
 */
import type { Picture } from './picture.ts';
import { regionsOf, type Region } from './text-regions.ts';

const blockWidth = 16;
const blockHeight = 8;
const sharp = 36;
/** Changes of direction within the rows of a block, in the mean. */
const fewestTurns = 2.2;
const mostTurns = 9;
/** Blocks next to each other: about five letters. */
const shortestRun = 3;
/** A block with a part of a letter: beside a line it belongs to it. */
const aStroke = 0.5;

export interface TextLikeness {
  /** Where words may be, from top to bottom. */
  readonly regions: readonly Region[];
  /** How many blocks belong to what may be lines of words. */
  readonly blocks: number;
  /** What they look like: equal for pictures with the same words at the same place, on a still background. */
  readonly fingerprint: string;
}

export function textLikeness(picture: Picture): TextLikeness {
  const { width, height, rgb } = picture;
  const columns = Math.floor(width / blockWidth);
  const rows = Math.floor(height / blockHeight);
  const turns = Float32Array.from({ length: columns * rows }, (_, block) =>
    turnsIn(rgb, width, (block % columns) * blockWidth, Math.floor(block / columns) * blockHeight),
  );
  const inRuns: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    let run: number[] = [];
    for (let column = 0; column <= columns; column += 1) {
      const block = row * columns + column;
      const found = column < columns ? (turns[block] ?? 0) : 0;
      if (found >= fewestTurns && found <= mostTurns) {
        run.push(block);
        continue;
      }
      if (run.length >= shortestRun) inRuns.push(...run);
      run = [];
    }
  }
  const grid = {
    columns,
    blockWidth,
    blockHeight,
    hasStroke: (block: number) => (turns[block] ?? 0) >= aStroke,
  };
  return {
    blocks: inRuns.length,
    regions: inRuns.length === 0 ? [] : regionsOf(picture, inRuns, grid),
    fingerprint: fingerprintOf(inRuns, columns),
  };
}

/** Sharp changes of direction within a row of the block, in the mean. */
function turnsIn(rgb: Uint8Array, width: number, left: number, top: number): number {
  let turns = 0;
  for (let y = top; y < top + blockHeight; y += 1) {
    let direction = 0;
    for (let x = left; x < left + blockWidth - 1; x += 1) {
      const at = (y * width + x) * 3;
      // Green is close to brightness.
      const step = (rgb[at + 4] ?? 0) - (rgb[at + 1] ?? 0);
      if (Math.abs(step) < sharp) continue;
      const sign = Math.sign(step);
      if (sign !== direction) turns += 1;
      direction = sign;
    }
  }
  return turns / blockHeight;
}

/** Coarse, so that noise does not change it: which ninths of the picture have how much. */
function fingerprintOf(blocks: readonly number[], columns: number): string {
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const key = `${Math.floor(Math.floor(block / columns) / 3)}.${Math.floor((block % columns) / 4)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= 3)
    .map(([key, count]) => `${key}:${Math.round(count / 3)}`)
    .toSorted()
    .join(' ');
}
