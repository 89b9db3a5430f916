import type { Location } from '#findings/finding.ts';
import type { SourceModule } from './modules.ts';

/** A text with places in it. */
export type Placed = Pick<SourceModule, 'path' | 'text'>;

const lineStarts = new WeakMap<Placed, number[]>();

function startsOf(module: Placed): number[] {
  let starts = lineStarts.get(module);
  if (starts === undefined) {
    starts = [0];
    for (let at = module.text.indexOf('\n'); at >= 0; at = module.text.indexOf('\n', at + 1))
      starts.push(at + 1);
    lineStarts.set(module, starts);
  }
  return starts;
}

function placeOf(module: Placed, offset: number): { line: number; column: number } {
  const starts = startsOf(module);
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Of a line that is shown. */
export const longestLine = 300;

const firstLines = new WeakMap<Location, number>();

/** The number of the line that a place's snippet begins with. */
export const firstLineOf = (location: Location): number | undefined => firstLines.get(location);

/** A place with the lines around it, at most three before and behind. */
export function locationOf(module: Placed, at: number, end: number, around = 3): Location {
  const [start, stop] = [placeOf(module, at), placeOf(module, Math.max(at, end))];
  const starts = startsOf(module);
  const first = Math.max(0, start.line - 1 - around);
  const last = Math.min(starts.length, Math.min(stop.line, start.line + 5) + around);
  const snippet = module.text
    .slice(starts[first] ?? 0, starts[last] ?? module.text.length)
    .split('\n')
    .map((line) => line.slice(0, longestLine))
    .join('\n')
    .trimEnd();
  const location: Location = {
    path: module.path,
    startLine: start.line,
    endLine: stop.line,
    startColumn: start.column,
    endColumn: stop.column,
    snippet,
  };
  firstLines.set(location, first + 1);
  return location;
}

export const lineOf = (module: Placed, at: number): number => placeOf(module, at).line;
