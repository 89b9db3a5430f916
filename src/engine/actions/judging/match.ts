import type { Call } from '../calls/call.ts';
import type { Condition, DataClass, Effect } from '../clauses.ts';
import {
  type Destination,
  destinationsOf,
  isDestinationKey,
  isInDomains,
  isOutside,
} from '../calls/destinations.ts';
import type { Fact } from './fact.ts';
import { factOf } from './facts.ts';
import { hasApproval, isAsked } from './consent.ts';
import { amountOf, countOf, isWithin, moneyIn, plannedFor, sumOf } from './quantities.ts';
import { isListed, isOwnWork, recordLeaves } from './records.ts';
import { usedByCommands } from '../calls/used-files.ts';
import { isContent } from '../calls/content.ts';
import { normalPath } from './normal-path.ts';
import { once } from '../calls/once.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { holdsClass, speaksOfClass, type SpokenText, spokenText, withoutMasked } from '../calls/sensitive.ts';
import { type Met, met } from './met.ts';
import { aboutMet, targetKeys } from './match-about.ts';
import { earlierMet } from './match-earlier.ts';
import { exceedsMet, lacksMet } from './comparisons.ts';
import { repeatMet } from './repeats.ts';
import { againMet, differsMet, doesVerb, isMentioned, numberMet, stateMet, wasTold } from './match-action.ts';
import { nameWords, root, textWords } from '../words.ts';

const quote = (text: string) => `"${text.length > 80 ? `${text.slice(0, 77)}…` : text}"`;

/** How long what is written may be to name files in passing; what a longer one speaks of, the call does not touch. */
const mentionedTo = 2000;

function pathsOf(call: Call): string[] {
  const named = call.leaves
    .filter(
      ({ key, text }) =>
        text.length < 400 &&
        (/path|file|dir|folder|dest|target|source|location|cwd/i.test(key) || /^[~/.]|^[a-z]:\\/i.test(text)),
    )
    .map(({ text }) => text);
  const words = call.leaves
    .filter(({ key, text }) => text.length < mentionedTo || !isContent(key))
    .flatMap(({ text }) => text.split(/[\s"'=]+/))
    .filter((word) => /^(?:~?\/|\.{1,2}\/|[a-z]:\\)/i.test(word));
  const { read, changed } = usedByCommands(call);
  const used = [...changed, ...read].filter(({ isPlaced }) => isPlaced).map(({ path }) => path);
  return [...named, ...words, ...used].map(normalPath);
}

export const isUnder = (path: string, prefixes: readonly string[]) =>
  prefixes
    .map(normalPath)
    .some(
      (prefix) =>
        path === prefix ||
        path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`) ||
        (!prefix.startsWith('/') && path.includes(prefix)),
    );

function pathMet(call: Call, { where, prefixes }: Extract<Condition, { test: 'path' }>): Met {
  const paths = pathsOf(call);
  const hit =
    where === 'under'
      ? paths.find((path) => isUnder(path, prefixes))
      : paths.find((path) => !isUnder(path, prefixes));
  return hit === undefined
    ? undefined
    : {
        confidence: 1,
        reason: `${quote(hit)} is ${where === 'under' ? 'below' : 'outside of'} ${prefixes.join(', ')}.`,
      };
}

const freeText = /^(?:body|text|content|message|msg|subject|note|notes|comment|description|reason|title)$/i;
const shaped = new Set(['card', 'bank', 'secret', 'contact']);

/** "Your card was charged": running text that speaks of data which, were it there, would show by its shape. */
const isMention = ({ name, text }: Carried, dataClass: string): boolean =>
  shaped.has(dataClass) &&
  freeText.test(name) &&
  !speaksOfClass(spokenText(name), dataClass as 'card') &&
  text.includes(' ');

/** Names and texts of a call that may be data. */
interface Carried {
  name: string;
  text: string;
  /** Of an object or a list among the arguments. */
  isInside?: boolean;
  /** Words of the name and of the text, once they have been asked for. */
  spoken?: readonly SpokenText[];
}

const spokenBy = (one: Carried): readonly SpokenText[] =>
  (one.spoken ??= [spokenText(nameWords(one.name).join(' ')), spokenText(one.text)]);

const carriedIn = once((call: Call) => ({ all: carriedBy(call), met: new Map<DataClass, Met>() }));

/** Many rules ask for the same kinds of data: each is looked for once in a call. */
function dataMet({ call }: EvaluationContext, { classes, held }: Extract<Condition, { test: 'data' }>): Met {
  const known = carriedIn(call);
  for (const dataClass of classes) {
    if (!known.met.has(dataClass)) known.met.set(dataClass, findData(call, known.all, dataClass));
    const found = known.met.get(dataClass);
    if (found !== undefined && (held !== true || found.confidence === 1)) return found;
  }
  return undefined;
}

const carriedBy = (call: Call): Carried[] => [
  ...call.leaves.map(({ key, path, text }) => ({ name: key, text, isInside: path !== key })),
  { name: call.toolName, text: call.toolName === '' ? (call.step.action ?? '') : '' },
  { name: call.commands.words.slice(0, 40).join(' '), text: '' },
];

/** An argument that says whom the call reaches carries no data about them. */
const reachesBy = ({ name, isInside = false }: Carried, dataClass: DataClass): boolean =>
  (dataClass === 'contact' && isDestinationKey(name) && (!isInside || targetKeys.test(name))) ||
  (dataClass === 'health' && /^(?:to|cc|bcc|recipients?|receiver)$/.test(name));

/** `credit_card_9513926`, or digits in an argument for an id: which one it is, and nothing of what it holds. */
const isId = ({ name, text }: Carried, dataClass: DataClass): boolean =>
  // A secret may well be a word with few digits behind it.
  (dataClass === 'secret' ? /^[a-z]+(?:_[a-z]+)*_\d{4,}$/i : /^[a-z]+(?:_[a-z]+)*_\d+$/i).test(text) ||
  (/^#?[A-Z]{0,3}-?\d{4,12}$/.test(text) &&
    /(?:^|_)(?:ids?|no|nr|number|code|sku|ref|order|product|item|tracking)$/i.test(name));

/** What one looks something up by: an address that is known already, the words of a question. */
const isSoughtBy = ({ name, text }: Carried, dataClass: DataClass): boolean =>
  dataClass === 'contact'
    ? /(?:^|_)(?:email|e_mail|phone|mobile)$/i.test(name)
    : soughtKey.test(name) && text.trim().includes(' ') && !holdsClass(text, dataClass);

/** Signs and dividers in one run, so that no text of signs alone can be taken apart in many ways. */
const masked = /[*•#x]{2}[*•#x -]{0,40}\d{2,4}\b|\bending (?:in |with )?\d{4}\b/i;

/** A number of a person with nothing but its end left: it may hide no other words about them. */
const isMaskedPerson = (text: string): boolean =>
  text.length <= 200 &&
  /[*•#]{2}|\bx{3}-/i.test(text) &&
  masked.test(text) &&
  !speaksOfClass(spokenText(withoutMasked(text)), 'personal');

/** "Card **** 2478", "SSN ***-**-6789": what is left says nothing. */
function isMasked({ text }: Carried, dataClass: DataClass): boolean {
  if (dataClass === 'personal') return isMaskedPerson(text) && !holdsClass(text, dataClass);
  return (
    (dataClass === 'card' || dataClass === 'bank') &&
    masked.test(text.slice(0, 4000)) &&
    !holdsClass(text, dataClass)
  );
}

function findData(call: Call, all: readonly Carried[], dataClass: DataClass): Met {
  const reaches = ['egress', 'grant', 'pay'].some((effect) => call.effects.has(effect as Effect));
  const onlyReads = call.effects.size === 1 && call.effects.has('read');
  const sources = all.filter(
    (one) =>
      !isId(one, dataClass) &&
      !(reaches && reachesBy(one, dataClass)) &&
      !(onlyReads && isSoughtBy(one, dataClass)) &&
      !isMasked(one, dataClass),
  );
  const held = sources.find(({ text }) => text !== '' && holdsClass(text, dataClass));
  if (held !== undefined)
    return { confidence: 1, reason: `The call carries ${dataClass.replaceAll('_', ' ')} data.` };
  const named = sources.find(
    (one) =>
      (dataClass !== 'contact' || one.name !== call.toolName) &&
      spokenBy(one).some((spoken) => speaksOfClass(spoken, dataClass)),
  );
  if (named === undefined) return undefined;
  return {
    confidence: isMention(named, dataClass) ? 0.5 : named.text.length <= 80 ? 0.85 : 0.6,
    reason: `The call speaks of ${dataClass.replaceAll('_', ' ')} data.`,
  };
}

/** What is looked for is not where one goes. */
const soughtKey = /^(?:q|query|queries|search|search_term|keywords?|terms?|phrase|filter|text)$/i;

/** Where an argument says whom the call reaches, an address that its text speaks of is no destination. */
function reachedBy(call: Call): readonly Destination[] {
  const isLook = call.effects.size === 1 && call.effects.has('read');
  const all = destinationsOf(call).filter(({ key }) => !isLook || !soughtKey.test(key));
  const keyed = all.filter(({ key }) => isDestinationKey(key) && !freeText.test(key));
  return keyed.length > 0 ? all.filter(({ key }) => !freeText.test(key)) : all;
}

function destinationMet(
  context: EvaluationContext,
  { where, domains }: Extract<Condition, { test: 'destination' }>,
): Met {
  const all = reachedBy(context.call);
  if (where === 'in')
    return met(
      all.length > 0 && all.filter(({ host }) => host !== '').some((one) => isInDomains(domains, one)),
    );
  const hit =
    where === 'outside'
      ? all.find((one) => isOutside(context, one))
      : all.find((one) => one.host !== '' && !isInDomains(domains, one));
  if (hit !== undefined) return { confidence: 0.95, reason: `${quote(hit.value)} lies outside.` };
  return undefined;
}

function amountMet(
  context: EvaluationContext,
  { over, inclusive, total }: Extract<Condition, { test: 'amount' }>,
): Met {
  const amount = total ? sumOf(context) : (amountOf(context.call) ?? moneyIn(recordLeaves(context)));
  if (amount === undefined) return undefined;
  return met(inclusive ? amount >= over : amount > over, 1, `The amount is ${amount}.`);
}

function anyFact(context: EvaluationContext, { facts }: Extract<Condition, { test: 'fact' }>): Met {
  let best: Fact | undefined;
  for (const name of facts) {
    const found = factOf(context, name);
    if (found !== undefined && found.confidence > (best?.confidence ?? 0)) best = found;
  }
  return best;
}

/** Words of the arguments that may be names of files, and those of them with a dot, which are few. */
const fileWords = once((call: Call) => {
  const all = call.leaves.flatMap(({ key, text }) =>
    text.length < mentionedTo || !isContent(key) ? text.toLowerCase().split(/[\s"',;]+/) : [],
  );
  return { all, dotted: all.filter((word) => word.includes('.')) };
});

function hasExtension(call: Call, extensions: readonly string[]): boolean {
  const { all, dotted } = fileWords(call);
  return extensions.some((extension) => {
    const inner = `${extension}.`;
    const words = extension.includes('.') ? dotted : all;
    return words.some((word) => word.endsWith(extension) || word.includes(inner));
  });
}

function hasArgument(call: Call, words: readonly string[]): boolean {
  const wanted = words.map(root);
  return (
    call.leaves.some(
      ({ key, text }) =>
        text.trim() !== '' && text !== 'false' && nameWords(key).some((word) => wanted.includes(root(word))),
    ) || rootsOfValues(call, wanted)
  );
}

const rootsOfValues = (call: Call, wanted: readonly string[]) =>
  wanted.length > 0 &&
  call.leaves.some(({ text }) => {
    const roots = textWords(text.slice(0, 1000)).map(root);
    return wanted.every((word) => roots.includes(word));
  });

/** `id_rsa` in a path or a command: a name that a rule gives need not be that of a tool. */
function isWordIn(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  const at = lower.indexOf(name);
  return at >= 0 && !/\w/.test(lower.charAt(at - 1)) && !/\w/.test(lower.charAt(at + name.length));
}

function isTool(call: Call, { names, where }: Extract<Condition, { test: 'tool' }>): boolean {
  const named =
    names.includes(call.toolName.toLowerCase()) ||
    (where === 'in' && names.some((name) => call.leaves.some(({ text }) => isWordIn(text, name))));
  return call.toolName !== '' && (where === 'in' ? named : !named);
}

/** The surest of the lists that hold. */
function anyMet(context: EvaluationContext, { of }: Extract<Condition, { test: 'any' }>): Met {
  let best: Met;
  for (const all of of) {
    const found = all.map((condition) => testCondition(context, condition));
    if (found.includes(undefined)) continue;
    const weakest = found.reduce((least, one) =>
      (one?.confidence ?? 0) < (least?.confidence ?? 0) ? one : least,
    );
    if ((weakest?.confidence ?? 0) > (best?.confidence ?? 0)) best = weakest;
  }
  return best;
}

const lowerTexts = once((call: Call) => ({
  name: call.toolName.toLowerCase(),
  leaves: call.leaves.map(({ key, text }) => ({ key: key.toLowerCase(), text: text.toLowerCase() })),
}));

const withoutDashes = (flag: string) => (flag.startsWith('--') ? flag.slice(2) : flag);

/** Part of a value, a flag that is set, or part of the tool's name. */
function hasText(call: Call, part: string): boolean {
  const { name, leaves } = lowerTexts(call);
  const flag = part.length > 4 ? withoutDashes(part) : undefined;
  for (const { key, text } of leaves)
    if (text.includes(part) || (key === flag && text !== 'false')) return true;
  return part.length > 4 && name.includes(part);
}

type Tests = {
  [Test in Condition['test']]: (
    context: EvaluationContext,
    condition: Extract<Condition, { test: Test }>,
  ) => Met;
};

const tests: Tests = {
  verb: ({ call }, condition) => met(doesVerb(call, condition)),
  number: numberMet,
  exceeds: exceedsMet,
  lacks: lacksMet,
  differs: ({ call }, condition) => differsMet(call, condition),
  again: againMet,
  state: stateMet,
  own: (context) => met(isOwnWork(context), 1, 'An earlier step of the agent made it.'),
  listed: (context, { words }) => met(isListed(context, words)),
  told: (context) => met(wasTold(context)),
  acts: ({ call }) => met(call.toolName !== '' && !(call.effects.size === 1 && call.effects.has('read'))),
  mentioned: (context, { words }) => met(isMentioned(context, words)),
  effect: ({ call }, { effects }) => met(effects.some((effect) => call.effects.has(effect))),
  about: aboutMet,
  data: dataMet,
  fact: anyFact,
  amount: amountMet,
  amount_under: ({ call }, { under }) => met((amountOf(call) ?? Infinity) <= under),
  count: ({ call }, { over, of }) => {
    const count = countOf(call, of);
    return met(count > over, 1, `It concerns ${count} at once.`);
  },
  repeat: repeatMet,
  destination: destinationMet,
  time: ({ call, now }, condition) => met(isWithin(plannedFor(call) ?? now, condition)),
  path: ({ call }, condition) => pathMet(call, condition),
  extension: ({ call }, { extensions }) => met(hasExtension(call, extensions)),
  tool: ({ call }, condition) => met(isTool(call, condition)),
  approved: (context, condition) => met(hasApproval(context, condition)),
  literal: ({ call }, { texts }) => met(texts.some((part) => hasText(call, part))),
  user_asked: (context, { about }) => met(isAsked(context, about)),
  user_said: ({ request }, { words }) =>
    met(words.some((word) => textWords(word).every((part) => request.roots.has(root(part))))),
  earlier: earlierMet,
  argument: ({ call }, { words }) => met(hasArgument(call, words)),
  any: anyMet,
};

/** Tries one test of a compiled rule on the judged call. */
export const testCondition = (context: EvaluationContext, condition: Condition): Met =>
  (tests[condition.test] as (context: EvaluationContext, one: Condition) => Met)(context, condition);
