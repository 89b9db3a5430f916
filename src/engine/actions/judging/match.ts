import type { Call } from '../calls/call.ts';
import type { Condition, DataClass, Effect } from '../clauses.ts';
import {
  type Destination,
  destinationsOf,
  isDestinationKey,
  isInDomains,
  isOutside,
} from '../calls/destinations.ts';
import { type CallWords, wordsIn } from '../calls/call-words.ts';
import { type Fact, factOf } from './facts.ts';
import { hasApproval, isAsked } from './consent.ts';
import { amountOf, countOf, isWithin, moneyIn, plannedFor, sumOf } from './quantities.ts';
import type { Leaf } from '../calls/leaves.ts';
import { isListed, isOwnWork, recordLeaves, recordWords } from './records.ts';
import { once } from '../calls/once.ts';
import type { Scene } from './scene.ts';
import { holdsClass, namesClass } from '../calls/sensitive.ts';
import type { ThingPhrase } from '../things.ts';
import { type Met, isMet, met, phrasesMet } from './met.ts';
import { exceedsMet, lacksMet } from './comparisons.ts';
import { repeatMet } from './repeats.ts';
import { areKin } from '../verbs.ts';
import { againMet, differsMet, doesVerb, isMentioned, numberMet, stateMet, wasTold } from './match-deed.ts';
import { nameWords, root, textWords } from '../words.ts';

const quote = (text: string) => `"${text.length > 80 ? `${text.slice(0, 77)}…` : text}"`;

const holderKeys = /^(?:table|collection|entity|entity_type|resource|resource_type|object|kind|type|model)$/i;

/** `table: products` where the rule says "customer table": the container is met, the thing inside is another. */
function speaksOfOther(phrases: readonly ThingPhrase[], call: Call): boolean {
  const holder = call.leaves.find(
    ({ key, text }) => holderKeys.test(key) && text.length > 1 && text.length < 60,
  );
  if (holder === undefined || phrases.some(({ words }) => words.length < 2)) return false;
  const held = new Set(nameWords(holder.text).map(root));
  return !phrases.some(({ words }) => words.some((word) => isMet(word, held)));
}

function pathsOf(call: Call): string[] {
  const named = call.leaves
    .filter(
      ({ key, text }) =>
        text.length < 400 &&
        (/path|file|dir|folder|dest|target|source|location|cwd/i.test(key) || /^[~/.]|^[a-z]:\\/i.test(text)),
    )
    .map(({ text }) => text);
  const words = call.leaves
    .filter(({ text }) => text.length < 2000)
    .flatMap(({ text }) => text.split(/[\s"'=]+/))
    .filter((word) => /^(?:~?\/|\.{1,2}\/|[a-z]:\\)/i.test(word));
  return [...named, ...words].map(normalPath);
}

/** Resolves `..` and `.`, so that `/srv/data/../etc` is not below `/srv/data`. */
function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.trim().toLowerCase().replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return (/^[/\\]/.test(path.trim()) ? '/' : '') + parts.join('/');
}

const isUnder = (path: string, prefixes: readonly string[]) =>
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
  !namesClass(name, dataClass as 'card') &&
  text.includes(' ');

/** Names and texts of a call that may be data. */
interface Carried {
  name: string;
  text: string;
  /** Of an object or a list among the arguments. */
  isInside?: boolean;
}

const carriedIn = once((call: Call) => ({ all: carriedBy(call), met: new Map<DataClass, Met>() }));

/** Many rules ask for the same kinds of data: each is looked for once in a call. */
function dataMet({ call }: Scene, { classes }: Extract<Condition, { test: 'data' }>): Met {
  const known = carriedIn(call);
  for (const dataClass of classes) {
    if (!known.met.has(dataClass)) known.met.set(dataClass, findData(call, known.all, dataClass));
    const found = known.met.get(dataClass);
    if (found !== undefined) return found;
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

function findData(call: Call, all: readonly Carried[], dataClass: DataClass): Met {
  const reaches = ['egress', 'grant', 'pay'].some((effect) => call.effects.has(effect as Effect));
  const sources = reaches ? all.filter((one) => !reachesBy(one, dataClass)) : all;
  const held = sources.find(({ text }) => text !== '' && holdsClass(text, dataClass));
  if (held !== undefined)
    return { confidence: 1, reason: `The call carries ${dataClass.replaceAll('_', ' ')} data.` };
  const named = sources.find(
    ({ name, text }) =>
      (dataClass !== 'contact' || name !== call.toolName) &&
      (namesClass(nameWords(name).join(' '), dataClass) || namesClass(text, dataClass)),
  );
  if (named === undefined) return undefined;
  return {
    confidence: isMention(named, dataClass) ? 0.5 : named.text.length <= 80 ? 0.85 : 0.6,
    reason: `The call speaks of ${dataClass.replaceAll('_', ' ')} data.`,
  };
}

/** Where an argument says whom the call reaches, an address that its text speaks of is no destination. */
function reachedBy(call: Call): readonly Destination[] {
  const all = destinationsOf(call);
  const keyed = all.filter(({ key }) => isDestinationKey(key) && !freeText.test(key));
  return keyed.length > 0 ? all.filter(({ key }) => !freeText.test(key)) : all;
}

const withIds = once((call: Call): CallWords => {
  const words = wordsIn(call);
  const { ids } = words;
  return ids === undefined || ids.size === 0 ? words : { ...words, named: new Set([...words.named, ...ids]) };
});

const targetKeys = /^(?:to|cc|bcc|recipients?|receiver|target|destination|dest)$/i;

/** Named as where it goes, and nowhere else. */
function onlyAsTarget(call: Call, phrases: readonly ThingPhrase[]): boolean {
  const wordsOf = (leaves: readonly Leaf[]) => {
    const named = new Set(
      leaves
        .flatMap(({ key, text }) => [
          ...nameWords(key),
          ...textWords(text.slice(0, 200)),
          ...nameWords(text.slice(0, 120)),
        ])
        .map(root),
    );
    return { named, said: named };
  };
  const isTarget = ({ key }: Leaf) => targetKeys.test(key);
  if (!call.leaves.some(isTarget)) return false;
  const other = call.leaves.slice(0, 60).filter((leaf) => !isTarget(leaf));
  return !phrasesMet(
    phrases,
    wordsOf([...other, { path: '', key: call.toolName, text: '', number: undefined }]),
  );
}

/** The call names the thing, or an earlier answer says it of what the call names. */
function aboutMet(scene: Scene, condition: Extract<Condition, { test: 'about' }>): Met {
  const { phrases, party, source } = condition;
  const { call } = scene;
  const words = party === true ? withIds(call) : wordsIn(call);
  if (source === true && onlyAsTarget(call, phrases)) return undefined;
  if (phrasesMet(phrases, words)) return met(!speaksOfOther(phrases, call));
  const record = recordWords(scene);
  return met(record !== undefined && phrasesMet(phrases, record));
}

function destinationMet(scene: Scene, { where, domains }: Extract<Condition, { test: 'destination' }>): Met {
  const all = reachedBy(scene.call);
  if (where === 'in')
    return met(
      all.length > 0 && all.filter(({ host }) => host !== '').some((one) => isInDomains(domains, one)),
    );
  const hit =
    where === 'outside'
      ? all.find((one) => isOutside(scene, one))
      : all.find((one) => one.host !== '' && !isInDomains(domains, one));
  if (hit !== undefined) return { confidence: 0.95, reason: `${quote(hit.value)} lies outside.` };
  return undefined;
}

const failedShape =
  /["']?\b(?:verified|valid|match(?:ed|es)?|approved|ok|success|passed|result|found|confirmed|available|exists)["']?\s*[:=]\s*["']?(?:false|null|no|failed|fail|invalid|expired)\b|\b(?:verification|identity|check|validation|authentication|backup|scan|login)\b[^.\n]{0,20}\bfailed\b|\bnot (?:verified|found|matched|valid|confirmed|passed)\b|\bno (?:[a-z]+ ){1,3}found\b|\b(?:does|do|did) not match\b|^\W*(?:failed|failure|denied|rejected|false|invalid|error|expired)\b/i;

/** A check that did not come out well is none. */
const saysFailed = ({ step: { toolOutput } }: Call): boolean =>
  toolOutput !== undefined && toolOutput !== null && failedShape.test(shortText(toolOutput));

const pendingShape =
  /\b(?:pending|in[_ -]?progress|incomplete|not[_ -](?:complete|started|done|finished)|running|queued|waiting|processing|awaiting)\b|["']?\b(?:completed?|done|passed|finished)["']?\s*[:=]\s*["']?(?:false|no)\b/i;

/** It was begun and has not come to its end. */
const isPending = ({ step: { toolOutput } }: Call): boolean =>
  toolOutput !== undefined && toolOutput !== null && pendingShape.test(shortText(toolOutput));

/** An earlier reply of the agent speaks of it. */
const saidByAgent = ({ steps }: Scene, phrases: readonly ThingPhrase[]): boolean =>
  steps.slice(0, -1).some(({ role, toolName, action }) => {
    if (role !== 'agent' || (toolName ?? '') !== '' || action === undefined) return false;
    const roots = new Set(textWords(action.slice(0, 2000)).map(root));
    const words = phrases.flatMap((phrase) => [...phrase.words, ...phrase.hard]);
    return words.filter((word) => isMet(word, roots)).length >= Math.ceil(words.length / 2);
  });

const shortText = (output: unknown): string =>
  typeof output === 'string' ? output.slice(0, 600) : (JSON.stringify(output) ?? '').slice(0, 600);

function earlierMet(
  scene: Scene,
  { senses, phrases, wantsMost = false, said: maySay, done }: Extract<Condition, { test: 'earlier' }>,
): Met {
  if (maySay === true && saidByAgent(scene, phrases)) return met(true);
  // Having looked at something is no copy of it.
  const asksToRead = senses.some((sense) => sense === 'read' || sense === 'verify' || sense === 'print');
  const hit = scene.earlier.some((call) => {
    const acts =
      senses.length === 0 ||
      senses.some((sense) =>
        [...call.senses].some(
          (done) => done === sense || (areKin(done, sense) && (done !== 'read' || asksToRead)),
        ),
      );
    if (!acts && !phrasesNamed(phrases, call)) return false;
    // Lenient: asking for more than one word of the duty would forbid what the rule allows.
    const { named, said } = wordsIn(call);
    const words = phrases.flatMap((phrase) => [...phrase.words, ...phrase.hard]);
    const count = words.filter((word) => isMet(word, named) || said.has(root(word))).length;
    const isDone = words.length === 0 || count >= (wantsMost ? Math.ceil(words.length * 0.5) : 1);
    return isDone && !saysFailed(call) && !(done === true && isPending(call));
  });
  return met(hit);
}

const phrasesNamed = (phrases: readonly ThingPhrase[], call: Call) =>
  phrases.some(({ words }) => words.some((word) => call.words.map(root).includes(root(word))));

function amountMet(scene: Scene, { over, inclusive, total }: Extract<Condition, { test: 'amount' }>): Met {
  const amount = total ? sumOf(scene) : (amountOf(scene.call) ?? moneyIn(recordLeaves(scene)));
  if (amount === undefined) return undefined;
  return met(inclusive ? amount >= over : amount > over, 1, `The amount is ${amount}.`);
}

function anyFact(scene: Scene, { facts }: Extract<Condition, { test: 'fact' }>): Met {
  let best: Fact | undefined;
  for (const name of facts) {
    const found = factOf(scene, name);
    if (found !== undefined && found.confidence > (best?.confidence ?? 0)) best = found;
  }
  return best;
}

function hasExtension(call: Call, extensions: readonly string[]): boolean {
  return call.leaves.some(
    ({ text }) =>
      text.length < 2000 &&
      text
        .toLowerCase()
        .split(/[\s"',;]+/)
        .some((word) =>
          extensions.some((extension) => word.endsWith(extension) || word.includes(`${extension}.`)),
        ),
  );
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
  const lower = text.slice(0, 2000).toLowerCase();
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
function anyMet(scene: Scene, { of }: Extract<Condition, { test: 'any' }>): Met {
  let best: Met;
  for (const all of of) {
    const found = all.map((condition) => testCondition(scene, condition));
    if (found.includes(undefined)) continue;
    const weakest = found.reduce((least, one) =>
      (one?.confidence ?? 0) < (least?.confidence ?? 0) ? one : least,
    );
    if ((weakest?.confidence ?? 0) > (best?.confidence ?? 0)) best = weakest;
  }
  return best;
}

type Tests = {
  [Test in Condition['test']]: (scene: Scene, condition: Extract<Condition, { test: Test }>) => Met;
};

const tests: Tests = {
  verb: ({ call }, condition) => met(doesVerb(call, condition)),
  number: numberMet,
  exceeds: exceedsMet,
  lacks: lacksMet,
  differs: ({ call }, condition) => differsMet(call, condition),
  again: againMet,
  state: stateMet,
  own: (scene) => met(isOwnWork(scene), 1, 'An earlier step of the agent made it.'),
  listed: (scene, { words }) => met(isListed(scene, words)),
  told: (scene) => met(wasTold(scene)),
  acts: ({ call }) => met(call.toolName !== '' && !(call.effects.size === 1 && call.effects.has('read'))),
  mentioned: (scene, { words }) => met(isMentioned(scene, words)),
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
  approved: (scene, condition) => met(hasApproval(scene, condition)),
  literal: ({ call }, { texts }) =>
    met(
      call.leaves.some(({ text, key }) =>
        texts.some(
          (part) =>
            text.toLowerCase().includes(part) ||
            (part.length > 4 && text !== 'false' && key.toLowerCase() === part.replace(/^--/, '')),
        ),
      ) || texts.some((part) => part.length > 4 && call.toolName.toLowerCase().includes(part)),
    ),
  user_asked: (scene, { about }) => met(isAsked(scene, about)),
  user_said: ({ request }, { words }) => met(words.some((word) => request.roots.has(root(word)))),
  earlier: earlierMet,
  argument: ({ call }, { words }) => met(hasArgument(call, words)),
  any: anyMet,
};

/** Tries one test of a compiled rule on the judged call. */
export const testCondition = (scene: Scene, condition: Condition): Met =>
  (tests[condition.test] as (scene: Scene, one: Condition) => Met)(scene, condition);
