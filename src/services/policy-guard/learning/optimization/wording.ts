/** Other wordings of a policy: what can be changed about one, and which terms its misjudged examples have in common. */
import { isStopWord } from '#engine/text/stems.ts';
import type { PolicySource } from '#engine/text/types.ts';

/** The text of a policy; its name is kept. */
export type Wording = Pick<PolicySource, 'description' | 'blockActivities' | 'safeActivities'>;

/** A wording to be tried. */
export interface Candidate {
  readonly wording: Wording;
  /** What it changes, as a sentence without its end. */
  readonly what: string;
  /** Examples that it was made from, which cannot measure it. */
  readonly seen: ReadonlySet<number>;
}

/** Examples as the miner sees them. */
export interface Misjudged {
  /** Their words, lower-cased. */
  readonly words: readonly (readonly string[])[];
  readonly labels: readonly (0 | 1)[];
  /** Whether each is flagged by the wording as it is, where it flags best. */
  readonly flagged: readonly boolean[];
}

const without = (list: readonly string[], at: number) => list.filter((_, i) => i !== at);
const nothing: ReadonlySet<number> = new Set();

/** An activity less, two in one: what can be done without any example. */
export function edits(wording: Wording): Candidate[] {
  const { blockActivities, safeActivities } = wording;
  const found: Candidate[] = [];
  const add = (change: Partial<Wording>, what: string) =>
    found.push({ wording: { ...wording, ...change }, what, seen: nothing });
  if (blockActivities.length > 1)
    blockActivities.forEach((text, i) =>
      add({ blockActivities: without(blockActivities, i) }, `no longer blocks ${quoted(text)}`),
    );
  safeActivities.forEach((text, i) =>
    add({ safeActivities: without(safeActivities, i) }, `no longer allows ${quoted(text)}`),
  );
  for (let i = 1; i < blockActivities.length && i < mostMerges; i += 1) {
    const [a = '', b = ''] = blockActivities.slice(i - 1, i + 1);
    const merged = `${a}; ${b}`;
    if (merged.length <= longestActivity)
      add(
        { blockActivities: [...blockActivities.slice(0, i - 1), merged, ...blockActivities.slice(i + 1)] },
        `blocks ${quoted(a)} and ${quoted(b)} as one`,
      );
  }
  return found;
}

const mostMerges = 6;
const longestActivity = 1000;
const mostActivities = 100;

/** Activities made of terms that misjudged examples among `members` have in common. */
export function mined(wording: Wording, examples: Misjudged, members: readonly number[]): Candidate[] {
  const seen = new Set(members);
  const ofKind = (label: 0 | 1, flagged: boolean) =>
    members.filter((i) => examples.labels[i] === label && examples.flagged[i] === flagged);
  const all = (label: 0 | 1) => members.filter((i) => examples.labels[i] === label);
  const found: Candidate[] = [];
  if (wording.blockActivities.length < mostActivities)
    for (const term of distinctiveTerms(examples, ofKind(1, false), all(0)))
      found.push({
        wording: { ...wording, blockActivities: [...wording.blockActivities, term] },
        what: `blocks ${quoted(term)}`,
        seen,
      });
  if (wording.safeActivities.length < mostActivities)
    for (const term of distinctiveTerms(examples, ofKind(0, true), all(1)))
      found.push({
        wording: { ...wording, safeActivities: [...wording.safeActivities, term] },
        what: `allows ${quoted(term)}`,
        seen,
      });
  return found;
}

const mostTerms = 4;
/** A term of one example alone is that example's. */
const leastExamples = 2;

/** The terms of one or two words that the first examples have and the others have not, and the best ones together. */
function distinctiveTerms(
  { words }: Misjudged,
  wanted: readonly number[],
  against: readonly number[],
): string[] {
  const counts = new Map<string, { wanted: number; against: number }>();
  const count = (members: readonly number[], key: 'wanted' | 'against') => {
    for (const i of members)
      for (const term of new Set(termsOf(words[i] ?? []))) {
        const known = counts.get(term) ?? { wanted: 0, against: 0 };
        known[key] += 1;
        counts.set(term, known);
      }
  };
  count(wanted, 'wanted');
  count(against, 'against');
  const ranked = [...counts]
    .filter(([, found]) => found.wanted >= leastExamples)
    .map(([term, found]) => ({ term, odds: found.wanted / (found.against + 1) }))
    .filter(({ odds }) => odds > 1)
    .sort((a, b) => b.odds - a.odds || (a.term < b.term ? -1 : 1))
    .slice(0, mostTerms)
    .map(({ term }) => term);
  return ranked.length > 1 ? [...ranked, ranked.join(', ')] : ranked;
}

function termsOf(words: readonly string[]): string[] {
  const terms = words.filter((word) => word.length > 2 && !isStopWord(word));
  return [...terms, ...terms.slice(1).map((word, i) => `${terms[i] ?? ''} ${word}`)];
}

const mostWords = 400;

/** The words of a text, lower-cased; of a long one those at its beginning. */
export const wordsOf = (text: string): string[] =>
  (
    text
      .slice(0, 8000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  ).slice(0, mostWords);

const longestQuote = 60;
const quoted = (text: string) =>
  `"${text.length > longestQuote ? `${text.slice(0, longestQuote).replace(/[\uD800-\uDBFF]$/, '')}…` : text}"`;
