import type { Trace } from '../../api/action-guard.ts';

type Step = Trace[number];

/** A part of the judged call that occurs in a tool output and that the user never mentioned. */
export interface TaintedPiece {
  readonly text: string;
  /** Positions in the trace of the steps whose tool output contains it, oldest first. */
  readonly from: readonly number[];
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');

/** Common words do not show where a value comes from. */
const shortestPiece = 4;
const mostPieces = 20;

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** A value as a whole, its lines and sentences, and the addresses in it. */
const piecesOf = (leaf: string): string[] => [
  leaf,
  ...leaf.split(/[\n;]|(?<=[.!?])\s/),
  ...(leaf.match(/[\w.+-]+@[\w-]+\.[\w.-]+|https?:\/\/[^\s"'<>]+|(?:\/[\w.-]+){2,}/g) ?? []),
];

/**
 * The parts of the judged step that come from tool outputs: text that occurs word for word in an earlier output and
 * in no message of the user. Only this can be highlighted; the verdict itself also considers other evidence.
 */
export function taintOf(trace: readonly Step[], judged: number): TaintedPiece[] {
  const before = trace.slice(0, judged);
  const asked = before
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content ?? '')
    .join('\n')
    .toLowerCase();
  const outputs = before.map(({ metadata }) => textOf(metadata?.tool_output ?? '').toLowerCase());
  const found = new Map<string, TaintedPiece>();
  for (const piece of leavesOf(trace[judged]?.metadata?.tool_params).flatMap(piecesOf)) {
    const text = piece.trim();
    const lower = text.toLowerCase();
    if (text.length < shortestPiece || asked.includes(lower) || found.has(lower)) continue;
    const from = outputs.flatMap((output, at) => (output.includes(lower) ? [at] : []));
    if (from.length > 0) found.set(lower, { text, from });
    if (found.size >= mostPieces) break;
  }
  // A part of a longer match adds no information.
  return [...found.values()].filter(
    ({ text }) =>
      ![...found.values()].some((other) => other.text.length > text.length && other.text.includes(text)),
  );
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Positions of the parts in a text, ignoring case; they do not overlap. */
export function stretchesOf(text: string, pieces: readonly string[]): Stretch[] {
  const folded = text.toLowerCase();
  // Some letters change their length when lowercased, which would make offsets wrong.
  const lower = folded.length === text.length ? folded : text;
  const found: Stretch[] = [];
  for (const piece of pieces.toSorted((a, b) => b.length - a.length)) {
    const sought = piece.toLowerCase();
    for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + sought.length)) {
      const end = at + sought.length;
      if (!found.some((other) => at < other.end && other.start < end)) found.push({ start: at, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}
