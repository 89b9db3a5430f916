import type { CallWords } from '../calls/call-words.ts';
import { ofRule } from '../calls/once.ts';
import { type ThingPhrase, isSpecific, namedThings, sameThings, tellingWords } from '../things.ts';
import { root } from '../words.ts';

/** What a test found: how sure and, where it says more than the rule itself, why. */
export type Met = { confidence: number; reason?: string | undefined } | undefined;

export const met = (when: boolean, confidence = 1, reason?: string): Met =>
  when ? { confidence, reason } : undefined;

/** Whether the word, or one that names the same thing, is among the roots. */
export const isMet = (word: string, roots: ReadonlySet<string>): boolean => {
  for (const same of sameThings(word)) if (roots.has(same)) return true;
  return false;
};

/** The same of words by which a call names what it is about. */
const isNamed = (word: string, roots: ReadonlySet<string>): boolean => {
  for (const same of namedThings(word)) if (roots.has(same)) return true;
  return false;
};

/** A thing of a rule with all roots that stand for its words: rules ask for the same things with each call. */
interface Sought {
  /** One of them has to be named, where there are any. */
  readonly hard: readonly string[];
  /** Those of each word. */
  readonly words: readonly (readonly string[])[];
  readonly telling: readonly string[];
  /** Of all words that say just what is meant. */
  readonly specific: readonly string[];
}

const standingFor = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => [...namedThings(word)])),
];

const soughtBy = ofRule(({ words, hard }: ThingPhrase): Sought => {
  const telling = tellingWords(words);
  return {
    hard: standingFor(hard),
    words: words.map((word) => [...namedThings(word)]),
    telling,
    specific: standingFor(telling.filter(isSpecific)),
  };
});

function holdsAny(roots: ReadonlySet<string>, wanted: readonly string[]): boolean {
  for (const root of wanted) if (roots.has(root)) return true;
  return false;
}

/** One thing of a list is met when its hard words are and enough of the others. */
export function phrasesMet(phrases: readonly ThingPhrase[], words: CallWords): boolean {
  if (phrases.length === 0) return true;
  for (const phrase of phrases) if (phraseMet(phrase, words)) return true;
  return false;
}

function phraseMet(phrase: ThingPhrase, all: CallWords): boolean {
  const { named, said } = all;
  const { hard, words, telling, specific } = soughtBy(phrase);
  if (hard.length > 0 && !holdsAny(named, hard)) return false;
  if (words.length === 0) return true;
  if (isDenied(words, all)) return false;
  if (words.length > 1 && words.every((word) => holdsAny(named, word))) return true;
  if (phrase.wantsAll === true && telling.length > 1) return mostMet(telling, all);
  if (specific.length > 0) return holdsAny(named, specific) || holdsAny(said, specific);
  const count = telling.filter((word) => isNamed(word, named)).length;
  return count >= Math.min(2, telling.length);
}

const nothing: ReadonlySet<string> = new Set();

/** An argument says of one of the words that it is not so, and the tool is not named for it. */
const isDenied = (
  words: readonly (readonly string[])[],
  { denied = nothing, tool = nothing }: CallWords,
): boolean => denied.size > 0 && words.some((word) => holdsAny(denied, word) && !holdsAny(tool, word));

const adjective =
  /(?:ed|al|ive|ous|ful|less|ic|ary|able|ible|ent|ant|en)$|^(?:late|old|new|large|small|open|closed|urgent|free|premium|gold|vip|final|annual|gift|direct|raw|hard|soft|first|last|high|low|long|short|big|cheap|foreign|remote|night|day|spare|wrong|same|red|black|dark|paper|hot|cold|young|senior|junior|global|valid|current|paid|own|main|full|due)$/;

/** Nouns that any value may stand beside: "pilot group". */
const slotHeads = new Set(
  'group groups list region zone namespace team department environment channel category queue'.split(' '),
);

/** "DNS lookups": a short name says which. */
const acronym = /^(?:[^aeiou]{2,4}|hr|it|ai|ui|api|iam|aws|gpu|cpu|usb|eu|us|uk|ip|id|vip|eur|usd)\d?$/;

/** Of "late fees" both, of "docker images" the images, where the call is named for them. */
function mostMet(words: readonly string[], call: CallWords): boolean {
  const { named, said } = call;
  const isThere = (word: string) => isNamed(word, named) || (isSpecific(word) && isNamed(word, said));
  const [first = '', second = ''] = words;
  // "Basic economy reservations": of three words the first may be what tells them apart.
  if (words.length > 2 && adjective.test(first) && !isThere(first)) return false;
  if (words.filter(isThere).length >= Math.ceil(words.length * 0.6)) return true;
  if (words.length !== 2) return false;
  return slotHeads.has(second) ? isThere(first) : isHeadMet(first, second, call);
}

/** "Job offers" are met by what is made for offers; "late fees" are not met by fees. */
const isHeadMet = (modifier: string, head: string, { named, heads }: CallWords): boolean =>
  !adjective.test(modifier) &&
  !acronym.test(modifier) &&
  isNamed(head, named) &&
  (isSpecific(head) || heads?.has(root(head)) === true);
