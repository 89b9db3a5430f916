/** Numbers, dates and words that stand inside a longer text: a command, a statement, a message. */

import { argumentReach } from '../../actions/calls/reach.ts';

export type PartKind = 'number' | 'date' | 'word';

const mostParts = 20_000;
const longestText = argumentReach.text + 1;

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const monthName = `(?:${months.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')})`;

/** "1,500.50", "€20", "10 GB"; a number that is a piece of a name or of a date is none. */
const numberShape =
  /(?<![\p{L}\p{N}_.:/]|[\p{L}\p{N}]-)(?:[€$£]\s?)?-?\d{1,15}(?:,\d{3})*(?:\.\d{1,9})?(?![\d:/]|-\d|\.\d)(?:\s?(?:%|€|\$|£|(?:[kmgt]i?b|kg|t|tonnes?|lbs?|km|miles?|met(?:re|er)s|percent|pct|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months|years|eur|usd|gbp|chf|(?-i:[A-Z]{3}))(?![\p{L}\p{N}_])))?/giu;
const dateShape = new RegExp(
  [
    String.raw`(?<iso>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?)`,
    String.raw`(?<dotDay>\d{1,2})\.\s?(?<dotMonth>\d{1,2})\.\s?(?<dotYear>\d{4})`,
    String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\s(?<month>${monthName})\.?,?\s(?<year>\d{4})`,
    String.raw`(?<nameMonth>${monthName})\.?\s(?<nameDay>\d{1,2})(?:st|nd|rd|th)?,?\s(?<nameYear>\d{4})`,
  ]
    .map((way) => `(?<![\\d\\p{L}]|\\d\\.)${way}(?![\\d\\p{L}]|\\.\\d)`)
    .join('|'),
  'giu',
);
const wordShape = /[^\s"'`=,;()]+/gu;

const shapes: Readonly<Record<PartKind, RegExp>> = { number: numberShape, date: dateShape, word: wordShape };

const two = (value: string | number) => String(value).padStart(2, '0');

/** However a date is written, as an ISO date. `3.4.2026` is the third of April; with slashes nobody can tell. */
function isoDate({ groups = {} }: RegExpExecArray): string {
  const { iso, dotDay, dotMonth, dotYear, day, month, year, nameDay, nameMonth, nameYear } = groups;
  if (iso !== undefined) return iso;
  if (dotYear !== undefined) return `${dotYear}-${two(dotMonth ?? '')}-${two(dotDay ?? '')}`;
  const name = (month ?? nameMonth ?? '').slice(0, 3).toLowerCase();
  const at = months.findIndex((one) => one.startsWith(name)) + 1;
  return `${year ?? nameYear ?? ''}-${two(at)}-${two(day ?? nameDay ?? '')}`;
}

const shown = (kind: PartKind, found: RegExpExecArray): string =>
  kind === 'date' ? isoDate(found) : found[0];

/** What may stand between a mark and what it marks: `--replicas=3`, `total: 5`, `since '2026-01-01'`. */
const between = /[\s=:"'`(]*/y;

const wordSign = /[\p{L}\p{N}_-]/u;
const longestPart = 200;

/** The mark begins there, and is not the end of a longer one: `-n` does not stand in `--namespace`. */
const beginsAt = (text: string, mark: string, at: number) =>
  !wordSign.test(mark.charAt(0)) || !wordSign.test(text.charAt(at - 1));

function behind(text: string, mark: string, kind: PartKind): string[] {
  // Letters that change their length with their case would move what is found: all is looked for in the same text.
  const lower = text.toLowerCase();
  const wanted = mark.toLowerCase();
  const shape = new RegExp(shapes[kind].source, shapes[kind].flags.replace('g', 'y'));
  const found: string[] = [];
  for (
    let at = lower.indexOf(wanted);
    at >= 0 && found.length < mostParts;
    at = lower.indexOf(wanted, at + wanted.length)
  ) {
    if (!beginsAt(lower, wanted, at)) continue;
    between.lastIndex = at + wanted.length;
    const from = at + wanted.length + (between.exec(lower)?.[0].length ?? 0);
    // A part may stand right at the mark: `-n5`, `-nprod`.
    shape.lastIndex = 0;
    const part = shape.exec(lower.slice(from, from + longestPart));
    if (part !== null) found.push(shown(kind, part));
  }
  return found;
}

/**
 * Parts of that kind, in order.
 * @param mark only parts that stand right behind these characters
 */
export function partsIn(whole: string, kind: PartKind, mark?: string): string[] {
  const text = whole.slice(0, longestText);
  if (mark !== undefined) return behind(text, mark, kind);
  const found: string[] = [];
  for (const part of text.matchAll(shapes[kind])) {
    if (found.length >= mostParts) break;
    found.push(shown(kind, part));
  }
  return found;
}
