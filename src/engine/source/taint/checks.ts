import type { Expression } from '../form/form.ts';
import { refusesDash } from './first-letters.ts';
import { type Machine, pathOf } from './frame.ts';
import type { Grammar } from '../parse/grammars.ts';
import {
  isTextBit,
  noBackslashBit,
  noParentBit,
  normalisedBit,
  noSlashBit,
  relativeBit,
  rootedBit,
  singleSlashBit,
} from './shown.ts';
import { signatureFacts } from './signed-texts.ts';
import { endsInSeparator, scriptBit } from './texts.ts';
import { allTaints, type Check, type Fact, type Value } from './value.ts';

const noCheck: Check = { yes: [], no: [] };

/** All weaknesses; the author chose the value. */
const everything = ~normalisedBit;
/** What is shown of a text's letters rather than of a weakness. */
const ofTexts = noParentBit | relativeBit | rootedBit | singleSlashBit | noSlashBit | noBackslashBit;

/** `--format` of `--format=oneline`: who wrote the name wrote what the option does. */
export const ofOptions = 'option.split()';
const isOptionName = ({ ref }: Value): boolean => ref?.startsWith(ofOptions) === true;

/** What holds for the value itself, and what for the values that it was made of. */
export function factsOf(value: Value, bits: number, machine: Machine): Fact[] {
  if (value.of === undefined) return [];
  const made =
    bits &
    (machine.rules.bitOf('server-side-request-forgery') |
      machine.rules.bitOf('open-redirect') |
      machine.rules.bitOf('chosen-program') |
      machine.rules.bitOf('path-traversal') |
      (isOptionName(value) ? machine.rules.bitOf('argument-injection') : 0) |
      noParentBit);
  const facts: Fact[] = [];
  let shown = bits;
  for (const path of value.of) {
    if (shown !== 0) facts.push({ path: path.split('\0'), bits: shown });
    shown = made;
  }
  return facts;
}

const tainted = (value: Value): boolean => allTaints(value).length > 0;

/** What is shown of a path in which a text does not stand; one without `/` is not absolute. */
function bitsWithout(text: Value['constant']): number {
  if (text === '..') return noParentBit;
  if (text === '/') return noSlashBit | relativeBit;
  return text === '\\' || text === String.raw`\\` ? noBackslashBit : 0;
}

/** `x in allowed`: a collection that the author wrote, or that no input reached. Text is none: `'..' in x` denies. */
export function membershipCheck(item: Value, collection: Value, machine: Machine): Check {
  const denied = tainted(collection) ? bitsWithout(item.constant) : 0;
  if (denied !== 0) return { yes: [], no: factsOf(collection, denied, machine) };
  if (!tainted(item) || tainted(collection) || typeof collection.constant === 'string') return noCheck;
  // The one list that is complete by what it denies: names that lead to a prototype.
  const isOfPrototype = [...(collection.fields?.values() ?? [])].some(
    ({ constant }) => constant === '__proto__',
  );
  if (isOfPrototype)
    return { yes: [], no: factsOf(item, machine.rules.bitOf('prototype-pollution'), machine) };
  return { yes: factsOf(item, everything, machine), no: [] };
}

/** Whether nothing in it leads up any more. */
const isNormalised = (value: Value): boolean =>
  allTaints(value).every(({ cleared }) => (cleared & normalisedBit) !== 0);

/** Bits that both sides of an equation share: those that one of them has cleared. */
const clearedIn = (value: Value): number =>
  allTaints(value).reduce((bits, taint) => bits & taint.cleared, ~0);

/** Functions that tell how one path is reached from another. */
const relatives = /(?:relative|relpath|Rel)\(\)$/;

/** What it shows that a path has a folder in common with what it lies in. */
function sharedFacts(unknown: Value, known: Value, machine: Machine): Fact[] | undefined {
  const [, kind] = /common(path|prefix)\(\)$/.exec(unknown.ref ?? '') ?? [];
  if (kind === undefined) return undefined;
  // Letter by letter, a folder tells itself from its neighbours where a separator ends it.
  const isTold = isNormalised(unknown) && (kind === 'path' || endsInSeparator(known));
  return isTold ? factsOf(unknown, machine.rules.bitOf('path-traversal'), machine) : [];
}

function equalityFacts(a: Value, b: Value, machine: Machine): Fact[] {
  if (tainted(a) && tainted(b))
    return [...factsOf(a, clearedIn(b), machine), ...factsOf(b, clearedIn(a), machine)];
  const [unknown, known] = tainted(a) ? [a, b] : [b, a];
  // A path that is the folder itself.
  if (known.constant === '' && relatives.test(unknown.ref ?? ''))
    return factsOf(unknown, machine.rules.bitOf('path-traversal'), machine);
  if (!tainted(unknown) || known.constant === null || known.constant === '') return [];
  const shared = sharedFacts(unknown, known, machine);
  if (shared !== undefined) return shared;
  return [...factsOf(unknown, everything, machine), ...signatureFacts([known])];
}

const typeName = (expression: Expression): string | undefined =>
  expression.is === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;

const turnedRound = ({ yes, no }: Check): Check => ({ yes: no, no: yes });

const turnedIf = (isTurned: boolean, check: Check | undefined): Check | undefined =>
  check === undefined || !isTurned ? check : turnedRound(check);

function typeFacts(left: Value, type: Expression, machine: Machine): Fact[] {
  const name = typeName(type) ?? '';
  if (name === 'string') return factsOf(left, isTextBit, machine);
  return ['number', 'boolean', 'bigint'].includes(name) ? factsOf(left, everything, machine) : [];
}

/** What it shows that a check's answer equals a constant; undefined where the left side is no such answer. */
function answerCheck({ ref, check }: Value, right: Value, written: Expression): Check | undefined {
  if (check === undefined) return undefined;
  // `list.indexOf(x) === -1` is where it is not in the list.
  if (ref === 'indexOf()')
    return right.constant === -1 || written.is === 'call' ? turnedRound(check) : noCheck;
  // `list.length === 0` is where nothing is in it.
  if (ref === 'length()') return right.constant === 0 ? turnedRound(check) : noCheck;
  // `PATTERN.fullmatch(x) is None`
  if (ref === 'match()' && right.constant === null) return turnedRound(check);
  // `check(x) === true`
  if (right.constant === true) return check;
  // `faultOf(x) === undefined`; what is not undefined may still be false.
  return right.constant === null ? { yes: check.no, no: [] } : undefined;
}

/** What holds where both sides are equal, and where they are not. */
function equalityCheck(left: Value, right: Value, written: Expression, machine: Machine): Check {
  const answer = answerCheck(left, right, written);
  if (answer !== undefined) return answer;
  if (left.ref === 'typeof()') return { yes: typeFacts(left, written, machine), no: [] };
  // `path.split('/').some((part) => part === '..')`
  if (right.constant === '..' && left.ref?.endsWith('split()[]') === true)
    return { yes: [], no: factsOf(left, noParentBit, machine) };
  const isPrototype = left.constant === '__proto__' || right.constant === '__proto__';
  const pollution = isPrototype ? machine.rules.bitOf('prototype-pollution') : 0;
  return {
    yes: equalityFacts(left, right, machine),
    no: factsOf(tainted(left) ? left : right, pollution, machine),
  };
}

/** What a test shows: by its check, or because a variable that does not hold is empty. */
export function checkOf(test: Expression, value: Value, grammar?: Grammar): Check | undefined {
  // Python's lists are true where something is in them.
  if (grammar === 'python' && value.check === undefined && value.holdsOne !== undefined)
    return value.holdsOne;
  const path = value.check === undefined && tainted(value) ? pathOf(test) : undefined;
  return path === undefined ? value.check : { yes: [], no: [{ path, bits: everything, isEmpty: true }] };
}

/** `name === undefined`, `name === ''`: nothing is in it. */
function emptyFacts(written: Expression, value: Value, other: Value): Fact[] {
  const isEmpty = other.constant === null || other.constant === '';
  const path = isEmpty && tainted(value) ? pathOf(written) : undefined;
  return path === undefined ? [] : [{ path, bits: everything, isEmpty: true }];
}

/** What `==` and its like show. Order says nothing. */
export function comparisonCheck(
  { operator, left: writtenLeft, right: written }: Extract<Expression, { is: 'binary' }>,
  [left, right]: readonly [Value, Value],
  machine: Machine,
): Check | undefined {
  if (left.ref === 'length()' && (operator === '>' || operator === '<'))
    return right.constant === (operator === '>' ? 0 : 1) ? turnedIf(operator === '<', left.check) : undefined;
  const isEqual = ['===', '==', 'is'].includes(operator);
  if (!isEqual && !['!==', '!=', 'is not'].includes(operator)) return undefined;
  const shown = equalityCheck(left, right, written, machine);
  const empty = emptyFacts(writtenLeft, left, right);
  const check = empty.length === 0 ? shown : { yes: [...shown.yes, ...empty], no: shown.no };
  return isEqual ? check : turnedRound(check);
}

/** Characters that a weakness needs, of those a pattern could let through. */
const needs: readonly (readonly [rule: string, characters: readonly string[]])[] = [
  ['command-injection', [' ', ';', '|', '&', '$', '`', '>', '<', '\n']],
  ['argument-injection', ['-']],
  ['path-traversal', ['/', '\\']],
  ['sql-injection', ["'", '"', ' ', ';', ')', '(']],
  ['code-execution', ['(', '.', '[', '`']],
  ['server-side-request-forgery', ['/', ':', '.']],
  ['open-redirect', ['/', ':', '.']],
  ['nosql-injection', ['$', '{']],
  ['ldap-injection', ['(', ')', '*']],
  ['template-injection', ['{', '%', '$']],
  // `__proto__`
  ['prototype-pollution', ['_']],
];

/** What stands between the anchors; undefined where there are none, or where a part could match anything. */
function anchoredBody(source: string): string | undefined {
  const body = /^\/?\^([\s\S]*)\$\/?[a-z]*$/.exec(source)?.[1] ?? /^\/?\\A([\s\S]*)\\[zZ]$/.exec(source)?.[1];
  if (body === undefined || /\[\^|\\[SDW]/.test(body)) return undefined;
  // `^a$|b` is anchored on one side only.
  return /(^|[^\\])\|/.test(body.replaceAll(/\([^)]*\)/g, '')) ? undefined : body;
}

/**
 * The characters that an anchored pattern can let through, by reading it: its classes and literals. Undefined where it
 * is not anchored, or lets anything through.
 */
function lettersOf(source: string): Set<string> | undefined {
  const body = anchoredBody(source);
  if (body === undefined) return undefined;
  const outside = body.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, '');
  if (/(^|[^\\])\./.test(outside)) return undefined;
  const letters = new Set<string>();
  const add = (text: string) => {
    for (const letter of text) letters.add(letter);
  };
  for (const [, inside = ''] of body.matchAll(/\[((?:\\.|[^\]\\])*)\]/g)) add(classLetters(inside));
  if (/\\w|_/.test(body)) add('_');
  // Single characters outside of classes stand where the author put them.
  if (/\\s/.test(outside)) add(' \n');
  for (const [, letter = ''] of outside.matchAll(/\\([./\-$*])[+*]/g)) add(letter);
  return letters;
}

/** What a character class lets through besides letters and digits. */
function classLetters(inside: string): string {
  const marks = ' ;|&$`<>\n-/\\\'")(.[:{*%';
  // `\w` and `\d` are letters and digits, not a backslash.
  const written = inside
    .replaceAll('\\s', ' \n')
    .replaceAll(/\\[wdbn]/g, '')
    .replaceAll(/\\([\s\S])/g, '$1');
  const named = written.replaceAll(/[a-zA-Z0-9]-[a-zA-Z0-9]/g, '');
  return marks
    .split('')
    .filter((letter) => named.includes(letter))
    .join('');
}

/** Whether the first letter that a pattern lets through is no dash. */
function startsPlain(source: string): boolean {
  const first = /^\/?(?:\^|\\A)(?:\(\?:|\()?\[((?:\\.|[^\]\\])*)\]/.exec(source)?.[1];
  return first !== undefined && !first.startsWith('^') && !classLetters(first).includes('-');
}

/** Whether what a pattern lets through has no words: numbers and operators call nothing. */
const isWordless = (source: string): boolean =>
  !/[a-z]/i.test((anchoredBody(source) ?? 'a').replaceAll(/\\[sdnrt]/g, ''));

/** Code without words still calls what it takes out of a list: `[][…](…)`. */
const needsWithoutWords = needs.map(([rule, characters]): (typeof needs)[number] => [
  rule,
  rule === 'code-execution' ? ['[', '`'] : characters,
]);

/** Bits that a pattern rules out for what matches it as a whole. */
export function patternBits(source: string | undefined, machine: Machine): number {
  if (source === undefined || source.length > 500) return 0;
  const ofBeginning = refusesDash(source) ? machine.rules.bitOf('argument-injection') : 0;
  const letters = lettersOf(source);
  if (letters === undefined) return ofBeginning;
  let bits = everything & ~ofTexts;
  if (letters.has('"') || letters.has('\\')) bits &= ~scriptBit;
  if (startsPlain(source)) letters.delete('-');
  for (const [rule, characters] of isWordless(source) ? needsWithoutWords : needs)
    if (characters.some((letter) => letters.has(letter))) bits &= ~machine.rules.bitOf(rule);
  return bits | ofBeginning;
}

/** What the first letters tell: of an option, or of an address of the same host. */
export function firstLetterCheck(
  value: Value,
  prefix: Value['constant'],
  machine: Machine,
): Check | undefined {
  if (prefix === '-')
    return { yes: [], no: factsOf(value, machine.rules.bitOf('argument-injection'), machine) };
  if (prefix === '/')
    return { yes: factsOf(value, rootedBit, machine), no: factsOf(value, relativeBit, machine) };
  return prefix === '//' ? { yes: [], no: factsOf(value, singleSlashBit, machine) } : undefined;
}

/** `..`, alone or with a separator that the system names: `".." + string(filepath.Separator)`. */
const leadsAbove = (prefix: Value): boolean =>
  /^\.\.[/\\]?$/.test(String(prefix.constant)) || (prefix.beginning === '..' && endsInSeparator(prefix));

/** `relative(base, path).startsWith('..')` is a path outside. */
function relativeCheck(value: Value, prefix: Value, machine: Machine): Check | undefined {
  if (!relatives.test(value.ref ?? '') || !leadsAbove(prefix)) return undefined;
  return { yes: [], no: factsOf(value, machine.rules.bitOf('path-traversal'), machine) };
}

/** `address.startsWith('https://host/')` */
function hostCheck(value: Value, { constant }: Value, machine: Machine): Check | undefined {
  if (typeof constant !== 'string' || !/^https?:\/\/[^/]+\//.test(constant)) return undefined;
  const bits = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  return { yes: factsOf(value, bits, machine), no: [] };
}

/** `path.startsWith(base + sep)`: only of a path without `..`, and only with the separator. */
export function prefixCheck(value: Value, prefix: Value, machine: Machine, isByParts = false): Check {
  if (!tainted(value)) return noCheck;
  const ofFirst = firstLetterCheck(value, prefix.constant, machine);
  if (ofFirst !== undefined) return ofFirst;
  const known = relativeCheck(value, prefix, machine) ?? hostCheck(value, prefix, machine);
  if (known !== undefined) return known;
  const isShort = isNormalised(value);
  // What is left of `..` in the shortest form stands at the beginning.
  if (isShort && prefix.constant === '..') return { yes: [], no: factsOf(value, noParentBit, machine) };
  if (!isShort || (!isByParts && !endsInSeparator(prefix))) return noCheck;
  return { yes: factsOf(value, machine.rules.bitOf('path-traversal'), machine), no: [] };
}

/** `[/\\:]` as what is replaced: what needs one of these characters is ruled out. */
function removedBits(source: string | undefined, machine: Machine, by: string): number {
  const [, inside, flags] = /^\/?\[((?:\\.|[^\]\\])+)\][+]?(?:\/([a-z]*))?$/.exec(source ?? '') ?? [];
  if (inside === undefined || inside.startsWith('^') || flags?.includes('g') === false) return 0;
  const letters = classLetters(inside);
  const path = ['/', '\\'];
  return path.every((letter) => letters.includes(letter)) && !/[./\\$]/.test(by)
    ? machine.rules.bitOf('path-traversal')
    : 0;
}

/** `[^a-z0-9]` as what is replaced: what is left has the other letters alone. */
export function replacedBits(source: string | undefined, machine: Machine, by = ''): number {
  const gone = removedBits(source, machine, by);
  if (gone !== 0) return gone;
  const [, inside, flags = ''] = /^\/?\[\^((?:\\.|[^\]\\])*)\][+]?(?:\/([a-z]*))?$/.exec(source ?? '') ?? [];
  if (inside === undefined || (source?.startsWith('/') === true && !flags.includes('g'))) return 0;
  return patternBits(`^[${inside}]*$`, machine);
}

export const everythingCheck = (value: Value, machine: Machine): Check => ({
  yes: factsOf(value, everything, machine),
  no: [],
});
