import { letterOfPattern } from './first-letters.ts';
import { factsOf, firstLetterCheck, patternBits, replacedBits } from './checks.ts';
import { doubledMarkOf } from './doubled-marks.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { putInByFunction } from './functions-as-objects.ts';
import { joinedText } from './joined.ts';
import { joinTaints } from './taints.ts';
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
  const yes = factsOf(value, patternBits(source, machine) | hostBits(source, machine), machine);
  const letter = letterOfPattern(source);
  const beginning = letter === undefined ? undefined : firstLetterCheck(value, letter, machine);
  const no = [...(beginning?.no ?? []), ...factsOf(value, refusedBits(source, machine), machine)];
  // A match, or nothing where there is none: to be compared with nothing is to be asked for a match.
  const ref = ['test', 'matches', 'is_match', 'MatchString'].includes(called.method)
    ? {}
    : { ref: 'match()' };
  // What fits, and the groups of it, have the letters of the pattern alone.
  const found = cleared({ taints: value.taints }, matchedBits(source, machine));
  return { taints: called.method === 'test' ? [] : found.taints, ...ref, check: { yes, no } };
};

const bareSource = (source: string): string => source.replace(/^\/([\s\S]*)\/[a-z]*$/, '$1');

/** `/[^\w.-]/`: where no letter but these is in a text. */
function refusedBits(source: string, machine: Machine): number {
  const inside = /^\[\^((?:\\.|[^\]\\])*)\]\+?$/.exec(bareSource(source))?.[1];
  return inside === undefined ? 0 : patternBits(`^[${inside}]*$`, machine);
}

/** `/^https:\/\/host\.example\//`: who fits has no choice of the host. */
const ofHost =
  /^\^https?\??:(?:\/|\\\/){2}(?:[\w-]|\\\.|\(\?:|[(|]|\)[*?]?|\[[\w\\-]+\][+*]|\\w[+*]){1,200}(?::\d+)?(?:\\?\/|\$|\(\?:\\?\/\|\$\))/;

function hostBits(source: string, machine: Machine): number {
  const bare = bareSource(source);
  // `^a|b` is anchored on one side only.
  if (bare.length > 300 || !ofHost.test(bare) || bare.replaceAll(/\([^()]*\)/g, '').includes('|')) return 0;
  return machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
}

/** What a part of a text cannot do that fits a pattern, wherever it stands in the text; groups may begin with any letter. */
function matchedBits(source: string, machine: Machine): number {
  const bits = patternBits(`^${bareSource(source).replaceAll(/^\^|\$$/g, '')}$`, machine);
  return /(?:^|[^\\])\((?!\?)/.test(source) ? bits & ~machine.rules.bitOf('argument-injection') : bits;
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

/** Letters that filters of directories and patterns give a meaning; who replaces all of them escapes them. */
const ofLanguages = [
  ['ldap-injection', ['(', ')', '*', '\\']],
  ['regex-injection', ['(', ')', '*', '+', '?', '[', '.', '\\']],
] as const;

/** `value.replace(/[\\*()\0]/g, (c) => escapes[c])` */
function replacedByFunction(source: string | undefined, { args, machine }: Call): number {
  if (args[1]?.value.fn === undefined) return 0;
  const letters = classOf(source?.replace(/^\/([\s\S]*)\/[a-z]*$/, '$1') ?? '');
  if (letters.startsWith('^')) return 0;
  return ofLanguages
    .filter(([, needed]) => needed.every((letter) => letters.includes(letter)))
    .reduce((bits, [rule]) => bits | machine.rules.bitOf(rule), 0);
}

/** With what a function puts in: a part of the text, wherever it comes to stand. */
function withPut(value: Value | undefined, call: Call): Value | undefined {
  const taints = allTaints(putInByFunction(call));
  if (taints.length === 0) return value;
  const parts = taints.map((taint) => ({ ...taint, isPart: true as const }));
  return { ...value, taints: joinTaints([value?.taints ?? [], parts]) };
}

/** What is replaced is gone: all but the letters of a class, or what a pattern could read as its own. */
export const replaced: Model = (call) => {
  const { isFunction, subject, pattern, written, by } = replacement(call);
  if (subject === undefined || !isTainted(subject))
    return isFunction ? clean : withPut(joinedText(call), call);
  const { machine } = call;
  const escaped = by.includes('$&') ? machine.rules.bitOf('regex-injection') : 0;
  const base = isFunction ? textOf([subject], machine) : joinedText(call);
  if (base === undefined) return undefined;
  const all = written !== undefined && replacesAll(call, written) ? written : undefined;
  // What a function puts in is not known.
  const isText = call.args.some(({ value: { constant } }) => constant === by);
  const names = isText ? separatorBits(all, by, subject, machine) : replacedByFunction(all, call);
  const bits = replacedBits(pattern, machine, by) | escaped | names;
  const value = withPut(cleared(base, bits), call) ?? base;
  return all === undefined ? value : withQuoting(value, quotingOf(all, by, subject.quoting));
};

const withQuoting = (value: Value, quoting: Value['quoting']): Value =>
  quoting === undefined ? value : { ...value, quoting };
