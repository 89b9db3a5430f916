import { letterOfPattern } from './first-letters.ts';
import { factsOf, firstLetterCheck, patternBits, replacedBits } from './checks.ts';
import { doubledMarkOf } from './doubled-marks.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { joinedText } from './joined.ts';
import { textOf } from './texts.ts';
import { allTaints, clean, cleared, isTainted, type Value } from './value.ts';
import type { Machine } from './frame.ts';
import { noBackslashBit, noSlashBit } from './shown.ts';

/** `/x/.test(v)`, `re.match(x, v)` and `v.match(x)`: what is the pattern, and what is tested. */
function testParts({ called, args }: Call): readonly [pattern: Value | undefined, tested: Value | undefined] {
  const [first, second] = [args[0]?.value, args[1]?.value];
  // `PATTERN.matcher(text).matches()`
  if (called.object?.pattern !== undefined) return [called.object, args.length === 0 ? called.object : first];
  return [first, /^match(?:es)?$/.test(called.method) && args.length === 1 ? called.object : second];
}

/** The pattern as it must fit: the whole text, or its beginning. */
function patternSource(pattern: Value, method: string): string | undefined {
  const source = pattern.pattern ?? (typeof pattern.constant === 'string' ? pattern.constant : undefined);
  if (source === undefined) return undefined;
  if (method === 'fullmatch' || method === 'matches') {
    const inner = source.replaceAll(/^\^|\$$/g, '');
    // All of the text is one of the alternatives, where each of them is without the others.
    return inner.includes('|') && inner === source ? `^(?:${inner})$` : `^${inner}$`;
  }
  const ended = source.replace(/^\\A/, '^').replace(/\\[zZ]$/, '$');
  return method === 'match' && !/^[/^]/.test(ended) ? `^${ended}` : ended;
}

export const tested: Model = (call) => {
  const { called, machine } = call;
  const [pattern, value] = testParts(call);
  const source = pattern === undefined ? undefined : patternSource(pattern, called.method);
  if (source === undefined || value === undefined) return undefined;
  const yes = factsOf(value, patternBits(source, machine), machine);
  const letter = letterOfPattern(source);
  const beginning = letter === undefined ? undefined : firstLetterCheck(value, letter, machine);
  const no = beginning?.no ?? [];
  // A match, or nothing where there is none: to be compared with nothing is to be asked for a match.
  const ref = ['test', 'matches', 'is_match', 'MatchString'].includes(called.method)
    ? {}
    : { ref: 'match()' };
  const taints = called.method === 'test' ? [] : matchedTaints(value, source, machine);
  return { taints, ...ref, check: { yes, no } };
};

/** What a match holds: the text that fits, or parts of it, which may begin with another letter. */
function matchedTaints(value: Value, source: string, machine: Machine) {
  const bits = patternBits(source, machine);
  const ofBeginning = /(?:^|[^\\])\((?!\?)/.test(source) ? machine.rules.bitOf('argument-injection') : 0;
  return cleared({ taints: value.taints }, bits & ~ofBeginning).taints;
}

export const compiled: Model = (call) => {
  const value = valueAt(call, 0);
  if (isTainted(value)) return undefined;
  const pattern = value.pattern ?? value.constant;
  return { taints: [], ref: 'RegExp()', ...(typeof pattern === 'string' ? { pattern } : {}) };
};

/** `PATTERN.matcher(text)` knows both. */
export const matcher: Model = ({ called, args }) => {
  const { pattern } = called.object ?? {};
  const value = args[0]?.value;
  if (pattern === undefined || value === undefined) return undefined;
  return { taints: value.taints, pattern, ...(value.of === undefined ? {} : { of: value.of }) };
};

const textIn = (value: Value | undefined): string | undefined =>
  value?.pattern ?? (typeof value?.constant === 'string' ? value.constant : undefined);

/** `re.sub(pattern, by, text)` and `PATTERN.sub(by, text)` */
function pythonReplacement({ name, object }: Call['called'], values: readonly Value[], by: string) {
  const written = undefined;
  if (name === 're.sub')
    return { isFunction: true, subject: values[2], pattern: textIn(values[0]), written, by };
  const pattern = object?.pattern;
  return { isFunction: true, subject: values[1], pattern, written, by: textIn(values[0]) ?? '' };
}

/**
 * What a replacement works on: the text, the pattern where all of its places are meant and as it is written, and what
 * comes instead.
 */
function replacement({ called, args }: Call) {
  const values = args.map(({ value }) => value);
  const by = textIn(values[1]) ?? '';
  if (called.method === 'sub') return pythonReplacement(called, values, by);
  if (called.name === 'strings.ReplaceAll') {
    const [subject, from, to] = values;
    return { isFunction: true, subject, pattern: undefined, written: textIn(from), by: textIn(to) ?? '' };
  }
  const isPattern = called.object?.pattern !== undefined;
  const pattern = textIn(isPattern ? called.object : values[0]);
  const isAll = called.method.includes('All') || pattern?.startsWith('/') === true;
  const subject = isPattern ? values[0] : called.object;
  return { isFunction: false, subject, pattern: isAll ? pattern : undefined, written: pattern, by };
}

/** How a mark within `'…'` is written: the quotation closed, the mark escaped, and opened again; or not at all. */
const singleMarks: ReadonlySet<string> = new Set(["'\\''", `'"'"'`, '']);

/** All that a shell reads within `"…"`. */
const doubleMarks = ['"', '\\', '$', '`'];

const classOf = (pattern: string): string =>
  /^\(?\[((?:\\.|[^\]\\])*)\]\)?$/.exec(pattern)?.[1]?.replaceAll(/\\([\s\S])/g, '$1') ?? '';

/**
 * `\\` doubled and then `"` escaped: a text of AppleScript and its like. Whether line breaks are replaced as well does
 * not matter.
 */
function scriptQuotingOf(source: string, by: string, before: Value['quoting']): Value['quoting'] {
  if (/^\\{1,2}$/.test(source) && by === String.raw`\\`) return 'backslash';
  if (before !== 'backslash' && before !== 'script') return undefined;
  if (source === '"' && by === String.raw`\"`) return 'script';
  return /^(?:\\[nrt]|[\n\r\t])+$/.test(source) ? before : undefined;
}

/** The marks between which a text is one word of a shell, where all of `pattern` has become `by`. */
function quotingOf(pattern: string, by: string, before: Value['quoting']): Value['quoting'] {
  const source = pattern.replace(/^\/([\s\S]*)\/[a-z]*$/, '$1');
  const ofScript = scriptQuotingOf(source, by, before);
  if (ofScript !== undefined) return ofScript;
  const doubled = doubledMarkOf(source, by, before);
  if (doubled !== undefined) return doubled;
  if (source === "'" && singleMarks.has(by)) return "'";
  const letters = classOf(source);
  const isEscaped = /^\\\$[&1]$/.test(by) && doubleMarks.every((mark) => letters.includes(mark));
  return isEscaped ? '"' : undefined;
}

const replacesFirst = new Set(['typescript', 'tsx']);

/** Whether no place of the pattern is left. */
function replacesAll({ called, frame }: Call, pattern: string): boolean {
  if (called.method !== 'replace' || !replacesFirst.has(frame.module.grammar)) return true;
  return /^\/[\s\S]*\/[a-z]*g[a-z]*$/.test(pattern);
}

/**
 * Separators that are replaced one kind after the other: without `/` and without backslashes a text is one name. What was
 * shown of the text before holds until a separator comes in again.
 */
function separatorBits(source: string | undefined, by: string, subject: Value, machine: Machine): number {
  if (source === undefined || /[/\\$]/.test(by)) return 0;
  const before = allTaints(subject).reduce(
    (bits, taint) => bits & taint.cleared,
    noSlashBit | noBackslashBit,
  );
  const letter = source.replace(/^\/([\s\S]*)\/[a-z]*$/, '$1').replace(/^\\(?=[\s\S])/, '');
  const own = letter === '/' ? noSlashBit : letter === '\\' ? noBackslashBit : 0;
  const bits = before | own;
  const isName = (bits & noSlashBit) !== 0 && (bits & noBackslashBit) !== 0;
  return bits | (isName ? machine.rules.bitOf('path-traversal') : 0);
}

/** What is replaced is gone: all but the letters of a class, or what a pattern could read as its own. */
export const replaced: Model = (call) => {
  const { isFunction, subject, pattern, written, by } = replacement(call);
  if (subject === undefined || !isTainted(subject)) return isFunction ? clean : joinedText(call);
  const { machine } = call;
  const escaped = by.includes('$&') ? machine.rules.bitOf('regex-injection') : 0;
  const base = isFunction ? textOf([subject], machine) : joinedText(call);
  if (base === undefined) return undefined;
  const all = written !== undefined && replacesAll(call, written) ? written : undefined;
  // What a function puts in is not known.
  const isText = call.args.some(({ value: { constant } }) => constant === by);
  const names = isText ? separatorBits(all, by, subject, machine) : 0;
  const bits = replacedBits(pattern, machine, by) | escaped | names;
  const value = cleared(base, bits);
  const quoting = all === undefined ? undefined : quotingOf(all, by, subject.quoting);
  return quoting === undefined ? value : { ...value, quoting };
};
