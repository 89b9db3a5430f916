import type { Argument, Expression, FunctionForm } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import { languageOf } from '../parse/languages.ts';
import type { PatternRule } from '../rules/rule.ts';
import { Code } from './code.ts';
import { LocalNames, mentionedIn } from './names.ts';
import type { PatternIndex, ReadyMatch } from './pattern-index.ts';
import { registersHandler } from './routes.ts';
import { FormWalk, type Place } from './walk.ts';
import { writtenOut } from './written-out.ts';

export interface PatternHit {
  rule: PatternRule;
  module: SourceModule;
  at: number;
  end: number;
  /** What was found, as it is written. */
  what: string;
  /** What else of the function around it a behaviour was told by. */
  beside?: { at: number; end: number };
  /** What must be known of the whole project. */
  needs?: ProjectNeeds;
}

/** What a match asks of all files together. */
export interface ProjectNeeds {
  project: readonly RegExp[];
  unguarded?: true;
}

type Call = Extract<Expression, { is: 'call' }>;

/** The longest expression whose text is looked at. */
const longestText = 2_000;

const lastName = (name: string): string =>
  name
    .slice(0, Math.max(0, name.lastIndexOf('.')))
    .replaceAll('()', '')
    .split(/[.?]/)
    .at(-1) ?? '';

/** Finds what rules describe by how it is written, in one file. */
export function findPatterns(module: SourceModule, index: PatternIndex): PatternHit[] {
  const names = new LocalNames(module);
  const language = languageOf[module.grammar];
  const hits: PatternHit[] = [];
  const usedBy = new Map<number, PatternRule>();
  const code = new Code(module);
  /** Itself, or what the variable is set to that it names. */
  const meantBy = (value: Expression): Expression =>
    (value.is === 'name' ? names.setTo(value.name) : undefined) ?? value;
  const textOf = (value: Expression): string => code.textOf(value).slice(0, longestText);
  const isValue = (wanted: RegExp, value: Expression): boolean => {
    const meant = meantBy(value);
    const text = textOf(meant);
    if (wanted.test(text)) return true;
    const full = writtenOut(meant, textOf, (name) => names.setTo(name));
    return full !== text && wanted.test(full);
  };
  const holds = (condition: ReadyMatch['with'][number], value: Expression): boolean => {
    const { constant, mentions } = condition;
    if (condition.text?.test(textOf(value)) === false) return false;
    if (condition.value !== undefined && !isValue(condition.value, value)) return false;
    if (constant !== undefined && !names.constantsOf(value).some((each) => constant.test(String(each))))
      return false;
    return (
      mentions === undefined ||
      mentionedIn(value).some((name) => mentions.test(name) || mentions.test(names.settingOf(name)))
    );
  };
  const meetsNamed = (condition: ReadyMatch['with'][number], args: readonly Argument[], wanted: RegExp) =>
    args.some(({ name, value }) => {
      if (name !== undefined && wanted.test(name) && holds(condition, value)) return true;
      const meant = meantBy(value);
      const entries = meant.is === 'object' ? meant.entries : [];
      return entries.some(
        ({ key, value: field }) => typeof key === 'string' && wanted.test(key) && holds(condition, field),
      );
    });
  const meets = (condition: ReadyMatch['with'][number], { callee, args }: Call): boolean => {
    const { arg, name } = condition;
    if (name !== undefined) return meetsNamed(condition, args, name);
    if (arg === -1) return callee.is === 'member' && holds(condition, callee.object);
    const positional = args.filter((each) => each.name === undefined);
    const chosen = typeof arg === 'number' ? positional.slice(arg, arg + 1) : args;
    return chosen.some(({ value }) => holds(condition, value));
  };
  const standsInside = ({ inside, notInside }: ReadyMatch, place: Place): boolean => {
    if (inside === undefined && notInside === undefined) return true;
    const callers = place.inside.map(({ callee }) => names.nameOf(callee).replace(/^\?/, ''));
    return fits(callers, inside, notInside);
  };
  // What a server does, it does where it runs: the functions of its file are no part of what stands outside of them.
  const codeAround = ({ rule }: ReadyMatch, place: Place): string =>
    rule.kind === 'behaviour' ? code.runningAt(place) : code.around(place);
  const stands = (match: ReadyMatch, place: Place): boolean =>
    (match.languages === undefined || match.languages.includes(language)) &&
    fits(place.around, match.within, match.notWithin) &&
    (match.marked === undefined || isMarked(place, match.marked)) &&
    standsInside(match, place) &&
    says(match.code, [], () => codeAround(match, place)) &&
    says([], match.notCode, () => code.around(place)) &&
    says(match.file, match.notFile, () => code.ofFile());
  const besides = ({ rule, code: [first] }: ReadyMatch, place: Place | undefined) =>
    rule.kind === 'behaviour' && first !== undefined && place !== undefined
      ? code.placeOf(first, place)
      : undefined;
  const hit = (match: ReadyMatch, { at, end }: { at: number; end: number }, place?: Place) => {
    const beside = besides(match, place);
    hits.push({
      rule: match.rule,
      module,
      at,
      end,
      what: module.text.slice(at, Math.min(end, at + 80)).split('\n')[0] ?? '',
      ...(beside !== undefined && (beside.at < at || beside.at >= end) && { beside }),
      ...((match.unguarded || match.project.length > 0) && { needs: match }),
    });
  };
  /** What variables are set to, where they are looked into at their use: that is one finding, not two. */
  const noteUsed = (match: ReadyMatch, { callee, args }: Call) => {
    const looked = args.map(({ value }) => value);
    if (!match.with.some(({ value }) => value !== undefined)) looked.length = 0;
    if (callee.is === 'member' && match.with.some(({ arg }) => arg === -1)) looked.push(callee.object);
    for (const each of looked) if (meantBy(each) !== each) usedBy.set(meantBy(each).at, match.rule);
  };
  const hitCall = (match: ReadyMatch, call: Call, place: Place) => {
    const given = match.at === 'value' ? call.args[0]?.value : undefined;
    if (given !== undefined) {
      hit(match, meantBy(given));
      return;
    }
    // A chain of calls has its beginning lines above; what is called stands at the end of the callee.
    // What a decorator makes of a function is found in all of it.
    hit(match, { at: startOf(call), end: Math.max(call.end, place.marks?.end ?? 0) }, place);
    noteUsed(match, call);
  };
  const isCall = (match: ReadyMatch, name: string, call: Call, place: Place): boolean =>
    (match.receiver === undefined || match.receiver.test(lastName(name))) &&
    match.with.every((each) => meets(each, call)) &&
    !match.without.some((each) => meets(each, call)) &&
    says([], match.notHandler, () => code.ofHandler(call.args, place)) &&
    // Whoever waits for requests sends none.
    !(match.rule.kind === 'behaviour' && registersHandler(name, call.args)) &&
    stands(match, place);

  const declares = ({ notHandler }: ReadyMatch, fn: FunctionForm, place: Place): boolean =>
    says([], notHandler, () => code.ofHandler([], { ...place, marks: fn }));

  new FormWalk({
    call: (call, place) => {
      names.enter(place.fn);
      const name = names.nameOf(call.callee).replace(/^\?/, '');
      for (const match of index.calls.find(name))
        if (isCall(match, name, call, place)) hitCall(match, call, place);
    },
    entry: (name, value, place) => {
      names.enter(place.fn);
      for (const match of index.entriesFor(name)) {
        const { constant, text } = match;
        if (constant !== undefined && !names.constantsOf(value).some((each) => constant.test(String(each))))
          continue;
        if (text !== undefined && !text.test(textOf(value))) continue;
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
      const body = code.of(statement);
      for (const match of index.loops)
        if (match.endlessLoop?.test(body) === true && stands(match, place)) hit(match, statement);
    },
    fn: (fn, place) => {
      const name = fn.name.slice(fn.name.lastIndexOf('.') + 1);
      for (const match of index.declarations)
        if (match.declared?.test(name) === true && stands(match, place) && declares(match, fn, place))
          hit(match, { at: fn.at, end: Math.max(fn.at, fn.body[0]?.at ?? fn.end) });
    },
    returned: (value, place) => {
      names.enter(place.fn);
      for (const match of index.returns)
        if (match.returned?.test(textOf(meantBy(value))) === true && stands(match, place)) hit(match, value);
    },
  }).run(module.form.body);
  return hits.filter(({ rule, at }) => usedBy.get(at) !== rule);
}

/** Whether the function around it has a decorator or an annotation of such a name. */
const isMarked = ({ fn }: Place, wanted: RegExp): boolean =>
  fn?.marks.some((mark) => wanted.test(markName(mark))) === true;

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
  if (expression.is === 'text') return ofText(expression.parts);
  if (expression.is !== 'call') return '';
  const [first] = expression.args;
  // `string(expected)` of Go
  if (first !== undefined && expression.callee.is === 'name' && expression.callee.name === 'string')
    return lastMention(first.value);
  // `os.environ.get("API_KEY")`, `std::env::var("API_KEY")`
  // `header(&headers, "x-panel-key")`
  return expression.args.map(({ value }) => textIn(value)).find((text) => text !== '') ?? '';
};

/** What `Bearer ${token}` is made of is what lets somebody in, whatever it is called. */
function ofText(parts: readonly Expression[]): string {
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return '';
  return /^bearer $/i.test(textIn(parts[0])) ? 'bearerToken' : lastMention(last);
}
