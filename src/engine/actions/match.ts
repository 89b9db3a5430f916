import type { Call } from './call.ts';
import type { Condition } from './clauses.ts';
import { destinationsOf, isDestinationKey, isInDomains, isOutside } from './destinations.ts';
import { type CallWords, wordsIn } from './call-words.ts';
import { type Fact, factOf } from './facts.ts';
import { hasApproval, isAsked } from './consent.ts';
import { amountOf, countOf, isWithin, sumOf } from './quantities.ts';
import type { Scene } from './scene.ts';
import { holdsClass, namesClass } from './sensitive.ts';
import { type ThingPhrase, isSpecific, sameThings, tellingWords } from './things.ts';
import { areKin } from './verbs.ts';
import { nameWords, root, textWords } from './words.ts';

/** What a test found: how sure and, where it says more than the rule itself, why. */
export type Met = { confidence: number; reason?: string | undefined } | undefined;

const met = (when: boolean, confidence = 1, reason?: string): Met =>
  when ? { confidence, reason } : undefined;
const quote = (text: string) => `"${text.length > 80 ? `${text.slice(0, 77)}…` : text}"`;

const isMet = (word: string, roots: ReadonlySet<string>) => {
  for (const same of sameThings(word)) if (roots.has(same)) return true;
  return false;
};

/** One thing of a list is met when its hard words are and enough of the others. */
const phrasesMet = (phrases: readonly ThingPhrase[], words: CallWords): boolean =>
  phrases.length === 0 || phrases.some((phrase) => phraseMet(phrase, words));

function phraseMet({ words, hard }: ThingPhrase, { named, said }: CallWords): boolean {
  if (hard.length > 0 && !hard.some((word) => isMet(word, named))) return false;
  if (words.length === 0) return true;
  if (words.length > 1 && words.every((word) => isMet(word, named))) return true;
  const specific = words.filter(isSpecific);
  if (specific.length > 0) return specific.some((word) => isMet(word, named) || isMet(word, said));
  const telling = tellingWords(words);
  const met = telling.filter((word) => isMet(word, named)).length;
  return met >= Math.min(2, telling.length);
}

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
const isMention = ({ name, text }: { name: string; text: string }, dataClass: string): boolean =>
  shaped.has(dataClass) &&
  freeText.test(name) &&
  !namesClass(name, dataClass as 'card') &&
  text.includes(' ');

function dataMet(scene: Scene, { classes }: Extract<Condition, { test: 'data' }>): Met {
  const { call } = scene;
  const all = [
    ...call.leaves.map(({ key, text }) => ({ name: key, text })),
    { name: call.toolName, text: call.toolName === '' ? (call.step.action ?? '') : '' },
    { name: call.commands.words.slice(0, 40).join(' '), text: '' },
  ];
  for (const dataClass of classes) {
    const sources = dataClass === 'contact' ? all.filter(({ name }) => !isDestinationKey(name)) : all;
    const held = sources.find(({ text }) => text !== '' && holdsClass(text, dataClass));
    if (held !== undefined)
      return { confidence: 1, reason: `The call carries ${dataClass.replaceAll('_', ' ')} data.` };
    const named = sources.find(
      ({ name, text }) =>
        (dataClass !== 'contact' || name !== call.toolName) &&
        (namesClass(nameWords(name).join(' '), dataClass) || namesClass(text, dataClass)),
    );
    if (named !== undefined)
      return {
        confidence: isMention(named, dataClass) ? 0.5 : named.text.length <= 80 ? 0.85 : 0.6,
        reason: `The call speaks of ${dataClass.replaceAll('_', ' ')} data.`,
      };
  }
  return undefined;
}

function destinationMet(scene: Scene, { where, domains }: Extract<Condition, { test: 'destination' }>): Met {
  const all = destinationsOf(scene.call);
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

function earlierMet(scene: Scene, { senses, phrases }: Extract<Condition, { test: 'earlier' }>): Met {
  const hit = scene.earlier.some((call) => {
    const acts =
      senses.length === 0 ||
      senses.some((sense) => [...call.senses].some((done) => done === sense || areKin(done, sense)));
    if (!acts && !phrasesNamed(phrases, call)) return false;
    // Lenient: asking for more than one word of the duty would forbid what the rule allows.
    const { named, said } = wordsIn(call);
    const words = phrases.flatMap((phrase) => [...phrase.words, ...phrase.hard]);
    return words.length === 0 || words.some((word) => isMet(word, named) || said.has(root(word)));
  });
  return met(hit);
}

const phrasesNamed = (phrases: readonly ThingPhrase[], call: Call) =>
  phrases.some(({ words }) => words.some((word) => call.words.map(root).includes(root(word))));

function amountMet(scene: Scene, { over, inclusive, total }: Extract<Condition, { test: 'amount' }>): Met {
  const amount = total ? sumOf(scene) : amountOf(scene.call);
  if (amount === undefined) return undefined;
  return met(inclusive ? amount >= over : amount > over, 1, `The amount is ${amount}.`);
}

function repeatMet(scene: Scene, { over, senses }: Extract<Condition, { test: 'repeat' }>): Met {
  const alike = scene.earlier.filter((call) =>
    senses.length === 0
      ? call.toolName === scene.call.toolName
      : senses.some((sense) => call.senses.has(sense)),
  ).length;
  return met(alike + 1 > over, 1, `It is call number ${alike + 1} of its kind.`);
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
  verb: ({ call }, { senses }) => met(senses.some((sense) => call.senses.has(sense))),
  effect: ({ call }, { effects }) => met(effects.some((effect) => call.effects.has(effect))),
  about: ({ call }, { phrases }) => met(phrasesMet(phrases, wordsIn(call)) && !speaksOfOther(phrases, call)),
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
  time: ({ now }, condition) => met(isWithin(now, condition)),
  path: ({ call }, condition) => pathMet(call, condition),
  extension: ({ call }, { extensions }) => met(hasExtension(call, extensions)),
  tool: ({ call }, condition) => met(isTool(call, condition)),
  approved: (scene, condition) => met(hasApproval(scene, condition)),
  literal: ({ call }, { texts }) =>
    met(call.leaves.some(({ text }) => texts.some((part) => text.toLowerCase().includes(part)))),
  user_asked: (scene, { about }) => met(isAsked(scene, about)),
  user_said: ({ request }, { words }) => met(words.some((word) => request.roots.has(root(word)))),
  earlier: earlierMet,
  argument: ({ call }, { words }) => met(hasArgument(call, words)),
  any: anyMet,
};

/** Tries one test of a compiled rule on the judged call. */
export const testCondition = (scene: Scene, condition: Condition): Met =>
  (tests[condition.test] as (scene: Scene, one: Condition) => Met)(scene, condition);
