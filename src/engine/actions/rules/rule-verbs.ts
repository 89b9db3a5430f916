import { nounSenses, verbSenses } from '../verbs.ts';
import { root } from '../words.ts';

export const skipVerbs = new Set(
  'allow let permit try attempt ensure make sure use need want take keep get put call do perform help have must should may can be it act handle follow avoid refuse refrain prevent block stop prohibit forbid limit restrict require include approve confirm verify show plan count set'.split(
    ' ',
  ),
);
const strictVerbs = new Set('approve confirm verify show block stop call plan set count'.split(' '));
const determiners = new Set(
  'the a an any all some no this that these those every each our your my their his her its customer user new existing of'.split(
    ' ',
  ),
);
const adjectival = new Set(['in', 'on', 'of', 'to', 'with', 'for', 'from', 'as', 'into']);
const softNouns = new Set(
  'order orders access report reports record records log logs post posts list lists book books charge charges bill bills schedule content contents view access release transfer transfers email emails mail mails message messages text texts check share shares trade trigger triggers archive archives book backup backups script scripts change changes update updates command commands code call calls plan plans clear open close complete'.split(
    ' ',
  ),
);

export interface Found {
  senses: Set<string>;
  used: Set<string>;
}

/** A word such as `orders` after `the`, or next to another verb, is a thing. */
function isThing(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (isQualified(word, words[at - 1] ?? '')) return true;
  const plural = word.endsWith('s') && !word.endsWith('ss');
  if (!plural && isSecondVerb(words, at)) return false;
  const soft = softNouns.has(word) || (plural && softNouns.has(word.slice(0, -1)));
  return soft && (plural || isLed(words, at));
}

/** "Create or change", "delete, move or change": a verb like the one before it. */
function isSecondVerb(words: readonly string[], at: number): boolean {
  const [joint, before = ''] = [words[at - 1], words[at - 2]];
  const isVerb = verbSenses(before).length > 0 && !skipVerbs.has(before) && !before.endsWith('s');
  return (joint === 'or' || joint === 'and') && at === words.indexOf(before) + 2 && isVerb && at <= 3;
}

const participles = new Set([
  'sent',
  'paid',
  'written',
  'stored',
  'saved',
  'archived',
  'shared',
  'scheduled',
]);

const isParticiple = (word: string) => participles.has(word) || word.endsWith('ed');

const isQualified = (word: string, last: string) =>
  (isParticiple(word) && verbSenses(last).length > 0) ||
  determiners.has(last) ||
  last.endsWith("'s") ||
  ((word === 'paid' || word.endsWith('ed')) && adjectival.has(last));

/** Another verb stands before, or "may", "must" behind. */
function isLed(words: readonly string[], at: number): boolean {
  const isVerb = (other: string) =>
    verbSenses(other).length > 0 && !skipVerbs.has(other) && !softNouns.has(other);
  return words.slice(0, at).some(isVerb) || words.slice(at + 1, at + 6).some((next) => modals.has(next));
}

const modals = new Set(['may', 'must', 'cannot']);

const carriers = new Set([
  'run',
  'execute',
  'make',
  'issue',
  'perform',
  'carry',
  'process',
  'create',
  'submit',
  'do',
  'place',
  'provide',
  'give',
  'offer',
]);

const headEnds = new Set(
  'or and to for from in on at of with by over above under that which without before after per as into via than unless'.split(
    ' ',
  ),
);
/** "Create mail rules" is about rules: the noun before another one only says which. */
const isHead = (next: string | undefined): boolean =>
  next === undefined || headEnds.has(next) || nounSenses(next).length > 0 || next.endsWith('ly');

/** "Run updates", "issue refunds", "run terraform destroy": the other word says what is done. */
function narrow(found: Found, words: readonly string[]): void {
  const carrier = words.findIndex(
    (word) =>
      carriers.has(word) ||
      ['running', 'executing', 'making', 'issuing', 'performing', 'processing', 'executes', 'runs'].includes(
        word,
      ),
  );
  if (carrier < 0 || words[carrier + 1] === 'or' || words[carrier + 1] === 'and') return;
  const near = words.slice(carrier + 1, carrier + 6);
  const others = near.flatMap((word, at) => {
    const isOther =
      word.endsWith('ing') ||
      /^(?:code|scripts?)$/.test(word) ||
      (softNouns.has(word) && word.endsWith('s') && determiners.has(near[at - 1] ?? '')) ||
      (isParticiple(word) && isQualified(word, near[at - 1] ?? 'create'));
    if (isOther) return [];
    const senses = [...verbSenses(word), ...(isHead(near[at + 1]) ? nounSenses(word) : [])];
    return senses.map((sense) => ({ sense, word }));
  });
  const real = others.filter(({ sense }) => sense !== 'execute' && sense !== 'create' && sense !== 'read');
  if (real.length === 0) return;
  for (const sense of verbSenses(words[carrier] ?? '')) found.senses.delete(sense);
  for (const { sense, word } of real) {
    found.senses.add(sense);
    found.used.add(root(word));
  }
}

/** In "create rules that forward mail" the act is the first verb; in "run commands that delete files" the second. */
export function mainWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => index > 1 && (word === 'that' || word === 'which'));
  if (at < 0) return words;
  const first = words.slice(0, at);
  if (first.some((word) => carriers.has(word) || word === 'running' || word === 'executing')) return words;
  return first.some((word) => verbSenses(word).length > 0 || nounSenses(word).length > 0) ? first : words;
}

/** The acts that words name: verbs, else names of acts (`deletion`). */
export function findVerbs(words: readonly string[], strict: boolean): Found {
  const found: Found = { senses: new Set(), used: new Set() };
  words.forEach((word, at) => {
    const base = root(word);
    const skipped =
      [...skipVerbs].some((skip) => skip === word || root(skip) === base) &&
      !(strict && [...strictVerbs].some((verb) => root(verb) === base));
    if (skipped || isThing(words, at)) return;
    for (const sense of verbSenses(word)) {
      found.senses.add(sense);
      found.used.add(base);
    }
  });
  const opening = nounSenses(words.find((word) => !skipVerbs.has(word)) ?? '');
  const plain = words.find((word) => !skipVerbs.has(word)) ?? '';
  if (opening.length > 0 && verbSenses(plain).length === 0 && found.senses.size === 0) {
    for (const sense of opening) found.senses.add(sense);
    found.used.add(root(plain));
  }
  narrow(found, words);
  if (found.senses.size > 0) return found;
  for (const word of words)
    for (const sense of [...nounSenses(word), ...(softNouns.has(word) ? verbSenses(word) : [])]) {
      found.senses.add(sense);
      found.used.add(root(word));
    }
  return found;
}
