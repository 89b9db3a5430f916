/**
 * Reads a rule clause by clause: what it is about, on what condition, and what it forbids, demands or limits. Where the
 * grammar needs an act that its lists hold and a thing under its own name, this reading asks how near a call comes to
 * both, takes limits in any unit, and looks for what has to be so in what is on record.
 */
import type { Predicate } from '../../predicates/catalog.ts';
import { type Expression, flat, type RuleForm } from '../../rule-form.ts';
import { allOf, anyOf, conditionOf, namesIn, needOf } from './clauses-of.ts';
import { type Frame, frameOf } from './frames.ts';
import { keysOf, type Limit, limitTest, readLimits, windowOf } from './limits.ts';
import { readMoments } from './moments.ts';
import { type Named, namedIn, tellingIn } from './named-words.ts';
import { countryCodes } from './countries.ts';
import { plainText } from './plain-text.ts';
import { countWindows } from '../../predicates/repeat.ts';

const outsideShape =
  /\b(?:to |with )?(?:anybody |anyone |nobody |somebody |people |services? |parties )?outside (?:of )?(?:the |our |this )?(?:company|university|team|organi[sz]ation|firm|house|practice|school|hospital|clinic|domain|group|bank|business|office|studio|department)\b|\b(?:to |with )?(?:outsiders|third parties|externals|external (?:parties|people|addresses|recipients|services|domains))\b|\bexternally\b/;

const relative = /^(.+?)\s+(?:who|that|which|whose|with|marked|labelled|labeled|flagged|tagged|listed)\s+(.+?)(?=\s+(?:may|must|are|is|cannot|never|not|can|shall|will|do)\b)/;

interface Parts {
  when: Expression[];
  requires: Expression[];
  unless: Expression[];
}

const defaultVerbs = ['change'];

/** The operation that a scope names. */
function operationOf({ verbs, things }: Named, isAccess: boolean): Predicate | undefined {
  if (verbs.length === 0 && things.length === 0) return undefined;
  const told = things.filter((name) => !isParty(name));
  const on = told.length > 0 ? told : verbs.length > 0 ? [] : things;
  return {
    is: 'operation',
    verbs: verbs.length > 0 ? verbs : isAccess ? ['access'] : defaultVerbs,
    ...(on.length > 0 && { on }),
  };
}

/** "Location data is for emergency services only", "records of ward 7 are out of bounds": whatever is done with it. */
const accessShape =
  /\b(?:confidential|private|secret|sacred|out of bounds|off[- ]limits|nobody's business|taboo|own affair)\b|\b(?:is|are) (?:only )?for\b/;

const asWindow = (name: string | undefined) =>
  countWindows.find((one) => one === name) ?? 'session';

/** A limit that breaks the rule: a count of calls where it is "per" something and has no unit, else a quantity. */
function brokenBy(limit: Limit, { verbs, things }: Named, as: 'said' | 'broken'): Expression {
  const window = windowOf(limit);
  const keys = keysOf(limit);
  const of = things.flatMap((name) => name.split(' ')).slice(0, 4);
  const isCount = limit.unit === undefined && (window !== undefined || keys.length > 0) && limit.value < 100;
  if (!isCount) {
    const total = limit.unit !== undefined && window !== undefined && /euros|dollars|pounds|francs/.test(limit.unit);
    const test = limitTest(limit, as, of);
    return total
      ? { is: 'amount', over: limit.value, total: true }
      : test;
  }
  const over = limit.bound === 'over' || limit.bound === 'atmost' ? limit.value : limit.value - 1;
  const repeated: Expression = {
    is: 'repeat',
    over,
    ...(keys.length > 0 && { per: keys }),
    ...(limit.noun !== '' && { words: tellingIn(limit.noun) }),
    window: asWindow(window),
  };
  void verbs;
  return limit.noun === '' ? repeated : { any: [repeated, { is: 'measured', over, of: tellingIn(limit.noun) }] };
}

/** Tests of one frame. */
function partsOf(frame: Frame, topic: string, asides: readonly string[]): Parts | undefined {
  const parts: Parts = { when: [], requires: [], unless: [] };
  let { scope } = frame;
  const outside = outsideShape.test(scope);
  if (outside) scope = scope.replace(outsideShape, ' ');
  const relation = relative.exec(scope);
  let condition = frame.condition;
  if (relation !== null && relation[2] !== undefined && !/\d/.test(relation[2])) {
    condition = condition === undefined ? relation[2] : `${condition} and ${relation[2]}`;
    scope = `${relation[1] ?? ''} ${scope.slice(relation[0].length)}`;
  }
  const { limits, rest } = readLimits(scope);
  const moments = readMoments([rest, ...asides.filter((one) => /\d/.test(one))].join(' '));
  const named = namedIn(moments.rest, topic);
  const operation = operationOf(named, accessShape.test(frame.text));
  if (operation === undefined) return undefined;
  parts.when.push(operation);
  const isBound =
    frame.need !== undefined || frame.only !== undefined || limits.length > 0 || moments.tests.length > 0 || condition !== undefined;
  parts.when.push(...tailTests(named, isBound));
  if (outside) parts.when.push({ is: 'destination', where: 'outside' });
  const isLimit = frame.isLimit === true;
  for (const limit of limits) {
    const names = limit.bound === 'atmost' || limit.bound === 'atleast' ? 'broken' : 'said';
    const as = frame.need !== undefined || frame.only !== undefined ? (limit.bound === 'atmost' ? 'broken' : 'said') : isLimit ? (limit.to === undefined ? 'broken' : 'said') : names;
    if (limit.to !== undefined) {
      const within: Expression = { is: 'measured', atleast: limit.value, atmost: limit.to, ...(limit.unit !== undefined && { unit: limit.unit }), ...(named.things.length > 0 && { of: named.things.flatMap((one) => one.split(' ')).slice(0, 4) }) };
      parts.requires.push(within);
      continue;
    }
    parts.when.push(brokenBy(limit, named, as));
  }
  parts.when.push(...moments.tests);
  if (condition !== undefined) {
    const test = conditionOf(condition);
    if (test !== undefined) parts.when.push(test);
  }
  if (frame.need !== undefined) {
    const need = needOf(frame.need, [...named.things, ...named.verbs]);
    if (need === undefined) return undefined;
    parts.requires.push(need);
  }
  if (frame.only !== undefined) {
    const only = onlyTests(frame.only);
    if (only === undefined) return undefined;
    parts.requires.push(only);
  }
  if (frame.except !== undefined) {
    const except = exceptionOf(frame.except);
    if (except !== undefined) parts.unless.push(except);
  }
  return parts;
}

/** Places and states that tell one thing from another wherever they stand. */
const telling =
  /^(?:production|prod|live|main|master|staging|test|sandbox|public|internal|external|business|first|premium|root|admin|trunk|emergency)$/;

/**
 * What prepositions add. Of a plain prohibition ("no payments to Iran") they say what is forbidden; of one that is bound
 * to something else most of them only describe.
 */
function tailTests({ tails }: Named, isBound: boolean): Expression[] {
  const wanted = isBound
    ? tails.filter(({ names }) => names.every((name) => name.split(' ').some((word) => telling.test(word))))
    : tails.filter(({ names }) => !names.every(isParty));
  return wanted.slice(0, 2).map(({ names }): Expression => withCodes(names.filter((name) => !isParty(name))));
}

const isParty = (name: string) =>
  /^(?:users?|customers?|clients?|persons?|people|employees?|staff|members?|child(?:ren)?|citizens?|residents?|patients?|supporters?|tenants?|guests?|donors?|pupils?|students?|visitors?|candidates?|applicants?|buyers?|players?|participants?|passengers?|drivers?|authors?)$/.test(
    name,
  );

/** Things by their names; a country also by its code. */
function withCodes(names: readonly string[]): Expression {
  const things: Expression = { is: 'resource', things: names.map((name) => ({ words: name.split(' ') })) };
  const codes = names.flatMap((name) => countryCodes(name));
  return codes.length === 0
    ? things
    : { any: [things, { is: 'argument', path: '*', operator: 'in', value: [...codes, ...codes.map((code) => code.toLowerCase())] }] };
}

function onlyTests(text: string): Expression | undefined {
  const { limits, rest } = readLimits(text);
  const { tests, rest: left } = readMoments(rest);
  const measures = limits.map((one): Expression => limitTest(one, 'said', []));
  if (measures.length > 0 || tests.length > 0) return allOf([...measures, ...tests]);
  const things = namesIn(left);
  return things.length === 0 ? undefined : { is: 'resource', things };
}

function exceptionOf(text: string): Expression | undefined {
  const { limits, rest } = readLimits(text);
  const { tests, rest: left } = readMoments(rest);
  const measures = limits.map((one): Expression => limitTest(one, 'said', tellingIn(left).slice(0, 3)));
  if (measures.length > 0 || tests.length > 0) return allOf([...measures, ...tests]);
  const need = needOf(left);
  const things = namesIn(left);
  const said: Expression[] = [
    ...(need === undefined ? [] : [need]),
    ...(things.length === 0 ? [] : [{ is: 'resource', things } as const]),
  ];
  return anyOf(said);
}

/** Sentences that allow: what they speak of is an exception. */
const allows = /^(?:the )?(.+?)\s+(?:is|are)\s+(?:always\s+)?(?:fine|ok|okay|allowed|permitted|free|no problem|excepted|exempt)$|^(.+?)\s+(?:may|can)(?: do so)?$|^you (?:may|can) (.+)$/;

/** The form of a rule as it is read clause by clause; undefined where no sentence of it is understood. */
export function readGeneral(rule: string): RuleForm | undefined {
  const { sentences, asides } = plainText(rule);
  const all: Parts[] = [];
  for (const { text, topic } of sentences) {
    const allowed = allows.exec(text);
    const last = all.at(-1);
    if (allowed !== null && !/\b(?:not|never|only)\b/.test(text) && last !== undefined) {
      const things = namesIn(allowed[1] ?? allowed[2] ?? allowed[3] ?? '');
      if (things.length > 0) last.unless.push({ is: 'resource', things });
      continue;
    }
    const frame = frameOf(text);
    if (frame === undefined) continue;
    // "Cast and crew only": what it is about was said in the sentence before.
    if (frame.scope === '' && frame.only !== undefined && last !== undefined && topic === '') {
      const only = onlyTests(frame.only);
      if (only !== undefined) last.requires.push(only);
      continue;
    }
    const parts = partsOf(frame, topic, asides);
    if (parts !== undefined) all.push(parts);
  }
  const broken = all.map(({ when, requires, unless }): Expression => {
    const joined = allOf(when) as Expression;
    if (requires.length === 0 && unless.length === 0) return joined;
    return {
      all: [joined, ...(requires.length > 0 ? [{ not: allOf(requires) as Expression }] : []), ...(unless.length > 0 ? [{ not: anyOf(unless) as Expression }] : [])],
    };
  });
  const [first] = all;
  if (first === undefined) return undefined;
  if (all.length === 1)
    return {
      when: flat(allOf(first.when) as Expression),
      ...(first.unless.length > 0 && { unless: flat(anyOf(first.unless) as Expression) }),
      ...(first.requires.length > 0 && { requires: flat(allOf(first.requires) as Expression) }),
      on_missing: 'deny',
    };
  return { when: flat({ any: broken }), on_missing: 'deny' };
}
