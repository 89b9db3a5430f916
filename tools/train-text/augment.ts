/** Data augmentation: rows derived from rows, which help the models with texts unlike their training data. */
import type { LinearModel } from './linear.ts';
import type { Random } from '../../src/base/random.ts';
import { type LabelledRow, detectorIds } from './rows.ts';
import { bucketOfWord } from '../../src/engine/text/features.ts';

const heads = detectorIds.length;

export const isHarmless = ({ labels }: LabelledRow): boolean => labels.every((label) => label === 0);

/** Present if either has it, absent if neither has, unknown otherwise. */
const eitherOf = (a: Int8Array, b: Int8Array): Int8Array =>
  a.map((label, h) => (label === 1 || b[h] === 1 ? 1 : label === 0 && b[h] === 0 ? 0 : -1));

function groupBySource(rows: readonly LabelledRow[]): LabelledRow[][] {
  const groups = new Map<string, LabelledRow[]>();
  for (const row of rows) {
    const list = groups.get(row.source);
    if (list === undefined) groups.set(row.source, [row]);
    else list.push(row);
  }
  return [...groups.values()];
}

const pieceLength = 600;

/** A row combined with a harmless one, in either order: harmful text stays harmful next to harmless text. */
export function concatenations(rows: readonly LabelledRow[], count: number, random: Random): LabelledRow[] {
  const groups = groupBySource(rows);
  const harmless = groupBySource(rows.filter(isHarmless));
  return Array.from({ length: count }, () => {
    const own = random.pick(random.pick(groups));
    const other = random.pick(random.pick(harmless));
    const piece = other.text.slice(0, pieceLength);
    const between = random.pick([' ', '\n', '\n\n']);
    const text = random.next() < 0.5 ? own.text + between + piece : piece + between + own.text;
    return { text, source: own.source, split: 'train', labels: eitherOf(own.labels, other.labels) };
  });
}

/** Two to four harmless rows joined. */
export function harmlessJoins(rows: readonly LabelledRow[], count: number, random: Random): LabelledRow[] {
  const groups = groupBySource(rows.filter(isHarmless));
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: 2 + random.below(3) }, () => random.pick(random.pick(groups)));
    const text = parts.map((part) => part.text.slice(0, pieceLength)).join(random.pick([' ', '\n']));
    return { text, source: 'joined-harmless', split: 'train', labels: new Int8Array(heads) };
  });
}

/** First sentences of harmless rows, so that short texts are not associated with harm. */
export function firstSentences(rows: readonly LabelledRow[], count: number, random: Random): LabelledRow[] {
  const groups = groupBySource(rows.filter((row) => isHarmless(row) && row.text.length > 60));
  return Array.from({ length: count }, () => {
    const row = random.pick(random.pick(groups));
    const text = /^[^.!?\n]{8,200}[.!?]?/.exec(row.text)?.[0] ?? row.text.slice(0, 80);
    return { text, source: 'first-sentences', split: 'train', labels: new Int8Array(heads) };
  });
}

const safeFrames = [
  'What is the definition of {w}?',
  'What does the word "{w}" mean?',
  'How do you say {w} in Spanish?',
  'Translate "{w}" into French.',
  'Where does the word {w} come from?',
  'Can you give me a short history of {w}?',
  'Which laws deal with {w}?',
  'How can schools prevent {w}?',
  'I am writing a report about {w}. Where do I find statistics?',
  'What are the warning signs of {w}, and where can people get help?',
  'Our moderators removed a comment that contained the word {w}.',
  'The log shows an error in the module named {w}.',
  'Is {w} a noun or a verb?',
  'The song is called "{w}" and came out last year.',
  'Summarise the news article about {w} for a school class.',
  'Why is {w} harmful to society?',
  'Which charities help people affected by {w}?',
  'How many syllables does {w} have?',
] as const;

/** Detectors whose strongest words get safe sentences; profanity and sexual words are what they are in any sentence. */
const framedDetectors = [
  'general_harmful',
  'hate_bias',
  'jailbreak',
  'prompt_injection',
  'violence_abuse',
  'unethical_illegal',
  'self_harm',
] as const;

/** Safe sentences around the words that a first model considers the strongest signs. */
export function safeTriggerSentences(
  model: LinearModel,
  words: readonly string[],
  count: number,
  random: Random,
): LabelledRow[] {
  const triggers = framedDetectors.flatMap((id) => strongestWords(model, words, detectorIds.indexOf(id)));
  const labels = Int8Array.from(detectorIds, (id) =>
    id === 'profanity_offensive' || id === 'sexual_suggestive' ? -1 : 0,
  );
  return Array.from({ length: count }, () => ({
    text: random.pick(safeFrames).replace('{w}', random.pick(triggers)),
    source: 'safe-frames',
    split: 'train',
    labels,
  }));
}

const strongest = 150;

function strongestWords(model: LinearModel, words: readonly string[], detector: number): string[] {
  return words
    .slice(0, 12_000)
    .filter((word) => /^[a-z]{4,}$/.test(word))
    .map((word) => ({ word, weight: model.weights[bucketOfWord(word) * heads + detector] ?? 0 }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, strongest)
    .map(({ word }) => word);
}
