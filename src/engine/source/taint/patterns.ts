import { factsOf, patternBits, replacedBits } from './checks.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { joinedText } from './joined.ts';
import { textOf } from './texts.ts';
import { clean, cleared, isTainted, type Value } from './value.ts';

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
  if (method === 'fullmatch' || method === 'matches') return `^${source.replaceAll(/^\^|\$$/g, '')}$`;
  return method === 'match' && !/^[/^]/.test(source) ? `^${source}` : source;
}

export const tested: Model = (call) => {
  const { called, machine } = call;
  const [pattern, value] = testParts(call);
  const source = pattern === undefined ? undefined : patternSource(pattern, called.method);
  if (source === undefined || value === undefined) return undefined;
  const yes = factsOf(value, patternBits(source, machine), machine);
  // A match, or nothing where there is none: to be compared with nothing is to be asked for a match.
  const ref = ['test', 'matches', 'is_match', 'MatchString'].includes(called.method)
    ? {}
    : { ref: 'match()' };
  return { taints: called.method === 'test' ? [] : value.taints, ...ref, check: { yes, no: [] } };
};

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

/** What a replacement works on: the text, the pattern where all of its places are meant, and what comes instead. */
function replacement({ called, args }: Call) {
  const values = args.map(({ value }) => value);
  const by = textIn(values[1]) ?? '';
  if (called.name === 're.sub')
    return { isFunction: true, subject: values[2], pattern: textIn(values[0]), by };
  const isPattern = called.object?.pattern !== undefined;
  const pattern = textIn(isPattern ? called.object : values[0]);
  const isAll = called.method.includes('All') || pattern?.startsWith('/') === true;
  const subject = isPattern ? values[0] : called.object;
  return { isFunction: false, subject, pattern: isAll ? pattern : undefined, by };
}

/** What is replaced is gone: all but the letters of a class, or what a pattern could read as its own. */
export const replaced: Model = (call) => {
  const { isFunction, subject, pattern, by } = replacement(call);
  if (subject === undefined || !isTainted(subject)) return isFunction ? clean : joinedText(call);
  const { machine } = call;
  const escaped = by.includes('$&') ? machine.rules.bitOf('regex-injection') : 0;
  const base = isFunction ? textOf([subject], machine) : joinedText(call);
  return base === undefined ? undefined : cleared(base, replacedBits(pattern, machine) | escaped);
};

/** The parts of a schema's object are what the author said of its fields. */
export const schemaObject: Model = ({ called, args }) => {
  const fields = args[0]?.value.fields;
  return fields === undefined ? undefined : { taints: [], fields, ref: `${called.name}()` };
};

/** `z.string().regex(/…/)`. */
export const schemaPattern: Model = ({ called, args }) => {
  const pattern = args[0]?.value.pattern;
  return pattern === undefined ? undefined : { taints: [], ref: `${called.name}()`, pattern };
};
