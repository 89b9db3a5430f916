import { type Call, isPureRead } from '../calls/call.ts';
import { saysNo, wordsIn } from '../calls/call-words.ts';
import type { Condition } from '../clauses.ts';
import type { Leaf } from '../calls/leaves.ts';
import { type Met, met, phrasesMet } from './met.ts';
import { answerLeaves, recordLeaves } from './records.ts';
import { ofRule, once } from '../calls/once.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { countOf } from './quantities.ts';
import { sameActs } from './same-acts.ts';
import { sameThings } from '../things.ts';
import { nameWords, root, textWords } from '../words.ts';

type One<Test extends Condition['test']> = Extract<Condition, { test: Test }>;

const reading = new Set(['read', 'verify', 'print', 'download', 'compute', 'export']);
const readWords = new Set(
  'open play watch monitor show see look peek read view access enter visit'.split(' ').map(root),
);

const lightWords = new Set(
  'give make do provide issue offer apply put set place add process perform handle use grant have get'
    .split(' ')
    .map(root),
);

/** Roots by which a call says what it does: its name, names and short values of its arguments, its programs. */
const actWordsOf = once((call: Call): ReadonlySet<string> => {
  const words = new Set<string>();
  const add = (list: readonly string[]) => list.forEach((word) => words.add(root(word)));
  add(call.words);
  add(call.commands.words.flatMap((word) => [word, ...nameWords(word)]));
  for (const { key, text } of call.leaves.slice(0, 60)) {
    if (text.length <= 24) add(nameWords(text));
    if (text !== 'false' && text !== '0') add(nameWords(key));
  }
  return words;
});

const nameRootsOf = once((call: Call): ReadonlySet<string> => new Set(call.words.map(root)));

/** The call does it: by the kind of act that we know, or by the rule's own verb in its words. */
export function doesVerb(call: Call, condition: One<'verb'>): boolean {
  const { senses, words = [] } = condition;
  if (senses.some((sense) => call.senses.has(sense))) return true;
  if (words.length === 0 || isMereLook(call, condition)) return false;
  // "Give a discount", "apply_discount": neither verb says more than the thing.
  if (call.senses.size === 0 && call.toolName !== '' && words.every((word) => lightWords.has(word)))
    return true;
  // A verb that we know by kind is looked for in the name alone: "Refund" as a subject is no refund.
  const said = senses.length > 0 ? nameRootsOf(call) : actWordsOf(call);
  return (
    (senses.length === 0 && saysVerb(call, words)) ||
    words.some((word) => said.has(word) || sameActs(word).some((same) => said.has(same)))
  );
}

/** It only looks something up, and the rule is about more than that. */
const isMereLook = (call: Call, { senses, words = [] }: One<'verb'>) =>
  isPureRead(call) &&
  !senses.some((sense) => reading.has(sense)) &&
  !words.some((word) => readWords.has(word));

/** What is done by saying it: "promise a date". */
function saysVerb(call: Call, words: readonly string[]): boolean {
  if (!call.effects.has('egress') && !call.senses.has('reply')) return false;
  const { said, named } = wordsIn(call);
  return words.some((word) => said.has(word) || named.has(word));
}

interface Candidate {
  value: number;
  isNamed: boolean;
}

const idKey = /(?:^|_)(?:id|no|nr|number|zip|phone|port|year|iban|account)$/i;

/** Worked out once for each rule. */
const rootsOf = ofRule((words: readonly string[]): ReadonlySet<string> => new Set(words.map(root)));

const isNamedFor = (key: string, wanted: ReadonlySet<string>) =>
  nameWords(key).some((word) => wanted.has(root(word)));

/** Lengths of the lists that are named so; addresses parted by commas are a list too. */
function listsOf(call: Call, wanted: ReadonlySet<string>): Candidate[] {
  const lists = new Map<string, number>();
  for (const { key, path, text } of call.leaves.slice(0, 500)) {
    if (!isNamedFor(key, wanted)) continue;
    const item = /^(.*?)\.(\d+)$/.exec(path);
    if (item !== null) lists.set(item[1] ?? '', Math.max(lists.get(item[1] ?? '') ?? 0, Number(item[2]) + 1));
    else if (text.includes('@')) lists.set(path, text.split(/[,;]/).length);
  }
  return [...lists.values()].map((value) => ({ value, isNamed: true }));
}

const valuesOf = once((call: Call) =>
  call.leaves.slice(0, 200).flatMap(({ key, path, text, number }) => {
    const value = number ?? measured(text);
    return value === undefined || /\.\d+$/.test(path) ? [] : [{ key, value }];
  }),
);

/** "I give you 20 %" in a reply. */
function saidShare(call: Call, wanted: ReadonlySet<string>): Candidate[] {
  if (call.toolName !== '' || !wanted.has(root('percent'))) return [];
  const match = /(\d+(?:\.\d+)?)\s?(?:%|percent)/.exec(call.step.action ?? '');
  return match === null ? [] : [{ value: Number(match[1]), isNamed: true }];
}

/** Numbers of a call that are named for one of the words, lengths of lists so named; else the only number there is. */
function numbersOf(call: Call, of: readonly string[]): Candidate[] {
  const wanted = rootsOf(of);
  const values = valuesOf(call);
  const named = values
    .filter(({ key }) => isNamedFor(key, wanted))
    .map(({ value }) => ({ value, isNamed: true }));
  const found = [...named, ...listsOf(call, wanted), ...saidShare(call, wanted)];
  if (found.length > 0) return found;
  const lengths = of.includes('length') ? lengthsOf(call, wanted) : [];
  const count = of.some((word) => measuredBy.has(word) || reached.has(word)) ? 0 : countOf(call, of);
  if (count > 0) lengths.push({ value: count, isNamed: true });
  if (lengths.length > 0) return lengths;
  if (of.some((word) => listedBy.has(word))) return [];
  if (of.length === 1 && of[0] === 'age') return [];
  const isShare = wanted.has(root('percent'));
  const isTime = of.some((word) => measuredBy.has(word) || spanKey.test(word));
  const others = isTime ? idKey : idOrSpan;
  const plain = values.filter(
    ({ key }) => !others.test(key) && !namesRecord(key) && !(isShare && otherMeasure.test(key)),
  );
  return plain.length === 1 ? plain.map(({ value }) => ({ value, isNamed: false })) : [];
}

/** "More than 20 recipients": they are listed or counted by their name; another number is no number of them. */
const listedBy = new Set(['attendees', 'recipients', 'instances', 'approvals']);

/** Of those a `size`, a `limit` or the rows of a table are no number. */
const reached = new Set(['attendees', 'recipients']);

/** `older_than_days: 30`: a span of time is no number of things. */
const spanKey = /(?:^|[_-])(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/i;
const idOrSpan = new RegExp(`${idKey.source}|${spanKey.source}`, 'i');

/** Names of numbers that are no shares. */
const otherMeasure =
  /price|amount|total|cost|fee|salary|budget|quantity|qty|days|hours|minutes|months|years|size|count/i;

/** `ticket: 5520`: a number that names a thing. */
const recordNouns = new Set(
  'ticket order issue case pull pr invoice user customer employee patient account booking reservation flight comment message post draft branch build job task project page row version room table contact lead device sample claim claimant'
    .split(' ')
    .map(root),
);
const namesRecord = (key: string) => recordNouns.has(root(nameWords(key).at(-1) ?? ''));

const measuredBy = new Set(['percent', 'age', 'days', 'hours', 'temperature', 'size', 'speed', 'dose']);

/** "Passwords shorter than 12 characters": how long the texts so named are. */
const lengthsOf = (call: Call, wanted: ReadonlySet<string>): Candidate[] =>
  call.leaves
    .filter(
      ({ key, number }) => number === undefined && nameWords(key).some((word) => wanted.has(root(word))),
    )
    .map(({ text }) => ({ value: text.length, isNamed: true }));

/** "30%", "28 days", "500 mg". */
function measured(text: string): number | undefined {
  const match = text.length < 24 ? /^\s*-?(\d+(?:\.\d+)?)\s?(?:%|°?[a-z]{1,10})\s*$/i.exec(text) : null;
  return match === null ? undefined : Number(match[1]);
}

/** What an earlier answer says of the thing: `age: 14`. */
function recordNumbers(context: EvaluationContext, of: readonly string[]): Candidate[] {
  const wanted = rootsOf(of);
  return recordLeaves(context).flatMap(({ key, text, number }) => {
    const value = number ?? measured(text);
    return value !== undefined && isNamedFor(key, wanted) ? [{ value, isNamed: true }] : [];
  });
}

const changeWords = new Set(
  ['change', 'difference', 'delta', 'increase', 'decrease', 'raise', 'percent', 'pct'].map(root),
);

/** Names of numbers that are a change, or a share, by themselves. */
const shareWords = new Set([
  ...changeWords,
  ...['percentage', 'discount', 'rate', 'share', 'ratio', 'markup', 'margin'].map(root),
]);

/**
 * How far a value of the call lies from what an earlier answer, or the call itself, says that it was; in percent.
 * @param things names of the values that are meant; any where there are none
 */
function changesOf(context: EvaluationContext, things: ReadonlySet<string>): Candidate[] {
  const before = [...recordLeaves(context), ...context.call.leaves.filter(({ key }) => oldKey.test(key))];
  return context.call.leaves.flatMap(({ key, number }) => {
    if (number === undefined || idKey.test(key) || oldKey.test(key)) return [];
    if (things.size > 0 && !isNamedFor(key, things)) return [];
    const name = nameWords(key).at(-1) ?? '';
    const old = before.find(
      (leaf) => leaf.number !== undefined && leaf.number !== 0 && nameWords(leaf.key).at(-1) === name,
    );
    if (old?.number === undefined) return [];
    return [{ value: Math.abs((number - old.number) / old.number) * 100, isNamed: true }];
  });
}

const oldKey = /^(?:old|current|previous|original|former|last)_/i;

function changeMet(
  context: EvaluationContext,
  { of, over = -Infinity, under = Infinity }: One<'number'>,
): Met {
  const roots = of.map(root);
  const wanted = new Set([...roots.filter((word) => shareWords.has(word)), ...changeWords]);
  const things = new Set(roots.filter((word) => !shareWords.has(word)));
  const named = valuesOf(context.call)
    .filter(({ key }) => isNamedFor(key, wanted))
    .map(({ value }) => Math.abs(value));
  const all = named.length > 0 ? named : changesOf(context, things).map(({ value }) => value);
  const hit = all.find((value) => value > over && value < under);
  return hit === undefined ? undefined : met(true, 1, `It changes by ${Number(hit.toPrecision(3))} percent.`);
}

export function numberMet(context: EvaluationContext, condition: One<'number'>): Met {
  const { of, over = -Infinity, under = Infinity, relative } = condition;
  if (relative === true) return changeMet(context, condition);
  const own = numbersOf(context.call, of);
  const told = own.some(({ isNamed }) => isNamed) ? [] : recordNumbers(context, of);
  const hit = (told.length > 0 ? told : own).find(
    ({ value }) => (over >= 0 ? Math.abs(value) : value) > over && value < under,
  );
  return hit && met(true, hit.isNamed ? 1 : 0.9, `The value is ${hit.value}.`);
}

const namesOf = ofRule(
  (slot: readonly string[]): ReadonlySet<string> =>
    new Set(slot.flatMap((word) => [...sameThings(word), root(word)])),
);

/** A value of the slot that is none of those; where the call has no such slot, that it does not speak of them. */
export function differsMet(call: Call, { slot, phrases }: One<'differs'>): Met {
  const names = namesOf(slot);
  const values = call.leaves.filter(
    ({ key, text }) => text !== '' && nameWords(key).some((word) => names.has(root(word))),
  );
  if (values.length > 0) {
    const other = values.find(({ text }) => !phrasesMet(phrases, wordsOf(text)));
    return met(other !== undefined, 1, `"${other?.text.slice(0, 80)}" is something else.`);
  }
  return met(call.leaves.length > 0 && !phrasesMet(phrases, wordsIn(call)), 0.7);
}

const wordsOf = (text: string) => {
  const named = new Set([...textWords(text), ...nameWords(text)].map(root));
  return { named, said: named };
};

/** Values that name the thing: ids, addresses, names. */
const keysOf = (call: Call): string[] =>
  call.leaves
    .filter(
      ({ key, text }) =>
        text.length >= 2 &&
        text.length <= 80 &&
        !/amount|price|currency|reason|note|message|body|text/i.test(key),
    )
    .map(({ text }) => text.toLowerCase());

/** The same act on the same thing, or a tool said that it is done already. */
export function againMet(context: EvaluationContext, { states }: One<'again'>): Met {
  const own = keysOf(context.call);
  const acts = [...context.call.senses].filter((sense) => sense !== 'read');
  const same = context.earlier.find(
    (call) => call.toolName === context.call.toolName || acts.some((sense) => call.senses.has(sense)),
  );
  const repeated =
    same !== undefined &&
    context.earlier.some((call) => {
      const isAlike = call.toolName === context.call.toolName || acts.some((sense) => call.senses.has(sense));
      const keys = keysOf(call);
      return isAlike && (own.length === 0 || own.some((value) => keys.includes(value)));
    });
  if (repeated) return met(true, 1, 'The same was done before.');
  return states.length > 0 && saysState(context, states) === true
    ? met(true, 1, `A tool said that it is ${states.join(' or ')}.`)
    : undefined;
}

const isNo = /^(?:false|no|0|null|none)$/i;
const isYes = /^(?:true|yes|1)$/i;

/** `inactive`, `unpaid`, `not_shipped`. */
const opposites = (wanted: ReadonlySet<string>): string[] =>
  [...wanted].flatMap((word) => [`in${word}`, `un${word}`, `not_${word}`, `not ${word}`]);

/** `moving: false` says no, `status: closed` and `closed: true` say yes. */
function stateOf({ key, text }: Leaf, wanted: ReadonlySet<string>): boolean | undefined {
  const isNamed = nameWords(key).some((word) => wanted.has(word));
  if (isNamed && isNo.test(text)) return false;
  if (isNamed && isYes.test(text)) return true;
  if (opposites(wanted).some((word) => text.toLowerCase().includes(word))) return false;
  const said = [...textWords(text), ...nameWords(text.slice(0, 300))];
  if (said.some((word) => wanted.has(word)) && !negatedState.test(text.slice(0, 200))) return true;
  return statusKey.test(key) && text.length <= 24 && text !== '' ? false : undefined;
}

const negatedState = /\b(?:not|never|no longer|isn't|un)\s?\w{0,8}\s?(?:yet )?\w{3,}/i;
const statusKey = /(?:^|_)(?:status|state|stage|phase)$/i;
const statusShape = /\b(?:status|state|stage|phase)["']?\s*[:=]\s*["']?([a-z_-]{3,24})/gi;

/** Whether the arguments or an earlier answer say that it is in that state; undefined where they say nothing of it. */
function saysState(context: EvaluationContext, states: readonly string[]): boolean | undefined {
  const wanted = new Set(states.flatMap((state) => textWords(state)));
  let other = false;
  const answers = context.earlier.slice(-6).toReversed();
  const leaves = [
    ...context.call.leaves.filter(({ text }) => text.length < 200),
    ...answers.flatMap(answerLeaves),
    { path: '', key: '', text: context.request.text.slice(-2000), number: undefined },
  ];
  for (const leaf of leaves) {
    const said = stateOf(leaf, wanted);
    if (said === true) return true;
    if (said === false) other = true;
    for (const [, value = ''] of leaf.key === '' ? leaf.text.matchAll(statusShape) : [])
      if (!wanted.has(value.toLowerCase())) other = true;
  }
  return other ? false : undefined;
}

export function stateMet(context: EvaluationContext, { states, strict }: One<'state'>): Met {
  const said = saysState(context, states);
  if (said === false || (strict === true && said !== true)) return undefined;
  return said === true ? met(true, 1) : met(true, 0.72);
}

/** Roots of an answer; `customer_waiting: false` does not say it. */
const saidIn = once((call: Call): readonly string[] =>
  answerLeaves(call).flatMap(({ key, text }) =>
    saysNo(text) || text === '0'
      ? []
      : [...nameWords(key), ...textWords(text.slice(0, 4000)), ...nameWords(text.slice(0, 120))].map(root),
  ),
);

/** Words of the call, of earlier answers and of the user, the latest first. */
export function isMentioned(context: EvaluationContext, words: readonly string[]): boolean {
  const said = new Set<string>(context.request.roots);
  const own = wordsIn(context.call);
  for (const word of [...own.named, ...own.said]) said.add(word);
  for (const call of context.earlier.slice(-8)) for (const word of saidIn(call)) said.add(word);
  const isSaid = (word: string): boolean =>
    word.includes(' ')
      ? textWords(word).every(isSaid)
      : [...sameThings(word)].some((same) => said.has(same)) ||
        sameActs(root(word)).some((same) => said.has(same));
  const met = words.filter(isSaid).length;
  return words.length > 0 && met >= Math.ceil(words.length * (words.length > 2 ? 0.6 : 0.5));
}

const previews = new Set(
  ['preview', 'show', 'display', 'summarize', 'summarise', 'draft', 'confirm', 'notify', 'tell', 'warn'].map(
    root,
  ),
);

/** The agent spoke to the user after the last request, or called something that shows it. */
export function wasTold({ steps, earlier }: EvaluationContext): boolean {
  const spoke = steps
    .slice(0, -1)
    .some(
      ({ role, toolName, action, content }) =>
        role === 'agent' && (toolName ?? '') === '' && (action ?? content ?? '').length > 0,
    );
  return spoke || earlier.some((call) => call.words.some((word) => previews.has(root(word))));
}
