import type { Argument, Expression } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { languageOf } from '../parse/languages.ts';
import type { PatternRule } from '../rules/rule.ts';
import { LocalNames, mentionedIn } from './names.ts';
import type { PatternIndex, ReadyMatch } from './pattern-index.ts';
import { FormWalk, type Place } from './walk.ts';

export interface PatternHit {
  rule: PatternRule;
  module: SourceModule;
  at: number;
  end: number;
  /** What was found, as it is written. */
  what: string;
}

/** Lines that are comments say nothing of what the code does. */
const withoutComments = (code: string): string =>
  code.replaceAll(/^[ \t]*(?:\/\/|#(?![[!])|\*).*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');

const lastName = (name: string): string =>
  name
    .slice(0, Math.max(0, name.lastIndexOf('.')))
    .replaceAll('()', '')
    .split(/[.?]/)
    .at(-1) ?? '';

/** The longest code that is looked through around a place. */
const longestCode = 20_000;

/** Finds what rules describe by how it is written, in one file. */
export function findPatterns(module: SourceModule, index: PatternIndex): PatternHit[] {
  const names = new LocalNames(module);
  const language = languageOf[module.grammar];
  const hits: PatternHit[] = [];
  const codes = new Map<unknown, string>();
  const textOf = ({ at, end }: { at: number; end: number }) => module.text.slice(at, end);
  const codeAround = ({ fn }: Place): string => {
    const known = codes.get(fn);
    if (known !== undefined) return known;
    const code = fn === undefined ? module.text : textOf(fn);
    const bare = withoutComments(code.slice(0, longestCode));
    codes.set(fn, bare);
    return bare;
  };
  let whole: string | undefined;
  const fileCode = () => (whole ??= withoutComments(module.text.slice(0, 1_000_000)));

  const holds = (condition: ReadyMatch['with'][number], value: Expression): boolean => {
    if (condition.text !== undefined && !condition.text.test(textOf(value).slice(0, 2_000))) return false;
    const { constant, mentions } = condition;
    if (constant !== undefined && !names.constantsOf(value).some((each) => constant.test(String(each))))
      return false;
    return (
      mentions === undefined ||
      mentionedIn(value).some((name) => mentions.test(name) || mentions.test(names.settingOf(name)))
    );
  };
  const meets = (condition: ReadyMatch['with'][number], args: readonly Argument[]): boolean => {
    const { arg, name } = condition;
    if (name === undefined) {
      const positional = args.filter((each) => each.name === undefined);
      const chosen = typeof arg === 'number' ? positional.slice(arg, arg + 1) : args;
      return chosen.some(({ value }) => holds(condition, value));
    }
    for (const { name: own, value } of args) {
      if (own !== undefined && name.test(own) && holds(condition, value)) return true;
      if (value.is !== 'object') continue;
      for (const { key, value: field } of value.entries)
        if (typeof key === 'string' && name.test(key) && holds(condition, field)) return true;
    }
    return false;
  };
  const standsInside = ({ inside, notInside }: ReadyMatch, place: Place): boolean => {
    if (inside === undefined && notInside === undefined) return true;
    const callers = place.inside.map(({ callee }) => names.nameOf(callee).replace(/^\?/, ''));
    return fits(callers, inside, notInside);
  };
  const stands = (match: ReadyMatch, place: Place): boolean =>
    (match.languages === undefined || match.languages.includes(language)) &&
    fits(place.around, match.within, match.notWithin) &&
    standsInside(match, place) &&
    says(match.code, match.notCode, () => codeAround(place)) &&
    says(match.file, match.notFile, fileCode);
  const hit = ({ rule }: ReadyMatch, { at, end }: { at: number; end: number }) => {
    hits.push({
      rule,
      module,
      at,
      end,
      what: module.text.slice(at, Math.min(end, at + 80)).split('\n')[0] ?? '',
    });
  };
  const isCall = (match: ReadyMatch, name: string, args: readonly Argument[], place: Place): boolean =>
    (match.receiver === undefined || match.receiver.test(lastName(name))) &&
    match.with.every((each) => meets(each, args)) &&
    !match.without.some((each) => meets(each, args)) &&
    stands(match, place);

  new FormWalk({
    call: (call, place) => {
      const name = names.nameOf(call.callee).replace(/^\?/, '');
      for (const match of index.calls.find(name))
        // A chain of calls has its beginning lines above; what is called stands at the end of the callee.
        // What a decorator makes of a function is found in all of it.
        if (isCall(match, name, call.args, place))
          hit(match, { at: startOf(call), end: Math.max(call.end, place.marks?.end ?? 0) });
    },
    entry: (name, value, place) => {
      for (const match of index.entriesFor(name)) {
        const { constant, text } = match;
        if (constant !== undefined && !names.constantsOf(value).some((each) => constant.test(String(each))))
          continue;
        if (text !== undefined && !text.test(textOf(value).slice(0, 2_000))) continue;
        if (stands(match, place)) hit(match, value);
      }
    },
    binary: (expression, place) => {
      if (!['==', '===', '!=', '!=='].includes(expression.operator)) return;
      for (const match of index.comparisons) {
        const { left, right } = expression;
        const isConstant = [left, right].some((side) => ['literal', 'object', 'list'].includes(side.is));
        if (isConstant || match.compare === undefined || isChange(left, right)) continue;
        const sides = [left, right].map((side) => lastMention(side));
        if (sides.some((side) => match.compare?.test(side)) && stands(match, place)) hit(match, expression);
      }
    },
    loop: (statement, place) => {
      const { test, over } = statement;
      const isEndless =
        over === undefined && (test === undefined || (test.is === 'literal' && test.value !== false));
      if (!isEndless) return;
      const body = withoutComments(textOf(statement).slice(0, longestCode));
      for (const match of index.loops)
        if (match.endlessLoop?.test(body) === true && stands(match, place)) hit(match, statement);
    },
    fn: () => undefined,
  }).run(module.form.body);
  return hits;
}

/** One of the names matches what is wanted, and none what is not. */
const fits = (found: readonly string[], wanted: RegExp | undefined, unwanted: RegExp | undefined): boolean =>
  (wanted === undefined || found.some((name) => wanted.test(name))) &&
  (unwanted === undefined || !found.some((name) => unwanted.test(name)));

/** All of the wanted are in the code, and none of the others. */
function says(wanted: readonly RegExp[], unwanted: readonly RegExp[], codeOf: () => string): boolean {
  if (wanted.length + unwanted.length === 0) return true;
  const code = codeOf();
  return wanted.every((each) => each.test(code)) && !unwanted.some((each) => each.test(code));
}

const startOf = ({ callee, at }: Extract<Expression, { is: 'call' }>): number =>
  callee.is === 'member' && callee.object.is === 'call' ? Math.max(at, callee.object.end) : at;

const textIn = (expression: Expression | undefined): string =>
  expression?.is === 'literal' && typeof expression.value === 'string' ? expression.value : '';

const earlier = /^(?:original|previous|prev|old|cached|latest|initial|before)/i;

/** `current.token !== previous.token`: what is asked is whether it is another one, not whether it is right. */
function isChange(left: Expression, right: Expression): boolean {
  if (left.is !== 'member' || right.is !== 'member' || left.property !== right.property) return false;
  return [left.object, right.object].some((side) => earlier.test(lastMention(side)));
}

/** The last name of what is written: of a variable, of a property, or of what is asked for by a name in quotes. */
const lastMention = (expression: Expression): string => {
  if (expression.is === 'name') return expression.name;
  if (expression.is === 'member') return expression.property;
  if (expression.is === 'index') return textIn(expression.key);
  // `os.environ.get("API_KEY")`, `std::env::var("API_KEY")`
  return expression.is === 'call' ? textIn(expression.args[0]?.value) : '';
};
