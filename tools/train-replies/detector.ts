/**
 * Fits the detector of refusals on material of several hands, and says how it fares on a hand that was left out.
 *
 * Each hand is a fold: the model of replies is fitted on figures of models of sentences and of whole replies that have not
 * seen the hand of those replies (cross-fitting). So it trusts them as far as they hold for an unknown author.
 */
import { createHash } from 'node:crypto';
import type { Random } from '#base/random.ts';
import { folded, readReply } from '#engine/replies/normalise.ts';
import { type ActWeights, actsOf } from '#engine/replies/refusal/acts/act-model.ts';
import { cuesOf } from '#engine/replies/refusal/cues.ts';
import { readSentences } from '#engine/replies/refusal/cued-sentences.ts';
import { featureNames, featuresOf } from '#engine/replies/refusal/features.ts';
import { languagesRead } from '#engine/text/language.ts';
import { refusalKinds } from '#engine/replies/refusal/model.ts';
import { wholeBuckets, wholeFeaturesOf } from '#engine/replies/refusal/whole/whole-features.ts';
import { wholeOf, type WholeWeights } from '#engine/replies/refusal/whole/whole-model.ts';
import { sentencesOf } from '#engine/replies/sentences.ts';
import { fitMean, packed } from '../hashed-models/fit.ts';
import { composed, materialOf, type Reply } from './compose.ts';
import type { Passage } from './corpus.ts';
import { fitActs, type LabelledSentence } from './fit-acts.ts';
import { fitReplies, type ReplyCase } from './fit-replies.ts';
import type { SeedLine } from './sentence-seeds.ts';

const isHand = (kind: string) => kind.startsWith('by-a');

export interface Material {
  lines: readonly SeedLine[];
  passages: readonly Passage[];
  /** Replies of our own, of no hand. */
  own: readonly Reply[];
  /** By the name of their hand. */
  hands: ReadonlyMap<string, readonly Reply[]>;
}

/** What the model of replies reads of a reply. */
export interface Readers {
  acts: ActWeights;
  whole: WholeWeights;
}

const seed = 11;
const perLanguage = 150;
/** Replies of hands count most: they are few, and each is worded in its own way. Put-together ones are many and alike. */
const weightOf = (kind: string): number =>
  isHand(kind) ? 2 : kind === 'by-hand' ? 1.5 : kind === 'composed' ? 0.5 : 1;

/** Manners in which an answer speaks words of refusal for somebody else: its sentences tell nothing. */
const forOthers = new Set(['stage', 'letters', 'words', 'role-play', 'roleplay']);

/**
 * Sentences whose act follows from the label of their reply. What refuses wholly gives nothing in any sentence: the one
 * that `first` finds most declining declines, the others redirect at most.
 */
function sentencesFrom(
  { reply, label, kind, style }: Reply,
  first: ActWeights | undefined,
): LabelledSentence[] {
  const sentences = sentencesOf(readReply(reply).text).filter(({ inCode }) => !inCode);
  const weight = isHand(kind) || kind === 'by-hand' ? 1.5 : 0.5;
  if (label === 'none')
    return sentences.map(({ text }) => ({
      text,
      act: 'ordinary',
      weight: forOthers.has(style) || /["“”„«»「]/.test(text) ? 0.1 : weight,
    }));
  if (first === undefined || !isHand(kind))
    // Where a refusal has several sentences, those count that a cue tells too.
    return sentences.flatMap(({ text }) =>
      (label === 'full' && sentences.length === 1) || cuesOf(folded(text)).has('decline')
        ? [{ text, act: 'declines' as const, weight }]
        : [],
    );
  const ranked = sentences
    .map(({ text }) => ({ text, declines: actsOf(text, cuesOf(folded(text)), first).declines }))
    .toSorted((a, b) => b.declines - a.declines);
  return ranked.flatMap(({ text, declines }, rank): LabelledSentence[] => {
    if (declines > 0.5 || (rank === 0 && declines > 0.1)) return [{ text, act: 'declines', weight }];
    if (label === 'full') return [{ text, act: 'redirects', weight: weight * 0.6 }];
    return [];
  });
}

/** Replies with the same request are of one part. */
const partOf = (text: string, parts: number) =>
  createHash('sha256').update(text).digest().readUInt32BE() % parts;

const isIn = (at: number, parts: number, part: number | undefined) => at % parts === part;

/** The material without one part of our own and one hand. */
function without({ lines, passages, own, hands }: Material, part: number | undefined) {
  const parts = hands.size;
  return {
    lines: lines.filter((_, i) => !isIn(i, parts, part)),
    passages: passages.filter((_, i) => !isIn(i, parts, part)),
    replies: [
      ...own.filter(({ request }) => partOf(request, parts) !== part),
      ...[...hands.values()].filter((_, i) => i !== part).flat(),
    ],
  };
}

type Part = ReturnType<typeof without>;

function sentencesIn({ lines, passages, replies }: Part, first: ActWeights | undefined): LabelledSentence[] {
  return [
    ...lines.flatMap(({ act, wordings }) =>
      wordings.map((text) => ({ text, act, weight: Math.min(1.5, 16 / wordings.length) })),
    ),
    ...passages.flatMap(({ sentences }) =>
      sentences.slice(0, 5).map((text) => ({ text, act: 'ordinary' as const, weight: 0.7 })),
    ),
    ...replies.flatMap((reply) => sentencesFrom(reply, first)),
  ];
}

function fitWhole(replies: readonly Reply[]): WholeWeights {
  const rows = replies.map((each) => {
    const { text } = readReply(each.reply);
    const weight = isHand(each.kind) ? 1 : each.kind === 'answer' ? 0.5 : 0.25;
    return { ...wholeFeaturesOf(text, each.request), kind: each.label, weight };
  });
  const row = (is: (kind: string) => boolean) =>
    packed(
      fitMean(
        rows.map(({ kind, ...rest }) => ({ ...rest, label: is(kind) ? (1 as const) : (0 as const) })),
        [1, 2],
        { buckets: wholeBuckets, epochs: 8, decay: 1e-4, drop: 0.4, rate: 0.15 },
      ),
    );
  return { refuses: row((kind) => kind !== 'none'), gives: row((kind) => kind !== 'full') };
}

const readersOf = (part: Part, first: ActWeights | undefined, at: number): Readers => ({
  acts: fitActs(sentencesIn(part, first), at),
  whole: fitWhole(part.replies),
});

export function casesOf(some: readonly Reply[], { acts, whole }: Readers): ReplyCase[] {
  return some.map(({ reply, request, label, kind }) => {
    const { text } = readReply(reply);
    return {
      features: featuresOf(text, request, readSentences(text, request, acts), wholeOf(text, request, whole)),
      label: refusalKinds.indexOf(label),
      weight: weightOf(kind),
    };
  });
}

export interface Fitted {
  /** A row for each kind. */
  rows: number[][];
  readers: Readers;
  count: number;
  /** For each hand its cases as seen without it, and rows fitted without them. */
  leftOut: Map<string, { cases: ReplyCase[]; rows: number[][] }>;
}

/** `tell` is called with what is being done. */
export function fitDetector(material: Material, random: Random, tell: (text: string) => void): Fitted {
  const names = [...material.hands.keys()];
  const first = fitActs(
    sentencesIn({ ...without(material, undefined), replies: [...material.own] }, undefined),
    seed,
  );
  const parts = names.map((name, part) => {
    tell(`without ${name}`);
    const readers = readersOf(without(material, part), first, seed + part);
    const unseen = languagesRead.flatMap((lang) => {
      const some = materialOf(
        lang,
        material.lines.filter((_, i) => isIn(i, names.length, part)),
        material.passages.filter((_, i) => isIn(i, names.length, part)),
      );
      return composed(
        some,
        Math.round((lang === 'en' ? 4 * perLanguage : perLanguage) / names.length),
        random,
      );
    });
    const own = material.own.filter(({ request }) => partOf(request, names.length) === part);
    return {
      name,
      others: casesOf([...own, ...unseen], readers),
      hand: casesOf(material.hands.get(name) ?? [], readers),
    };
  });
  const leftOut = new Map(
    parts.map(({ name, hand }) => [
      name,
      {
        cases: hand,
        rows: fitReplies(
          parts.flatMap((each) => (each.name === name ? each.others : [...each.others, ...each.hand])),
          featureNames.length,
        ),
      },
    ]),
  );
  const cases = parts.flatMap(({ others, hand }) => [...others, ...hand]);
  return {
    rows: fitReplies(cases, featureNames.length),
    readers: readersOf(without(material, undefined), first, seed),
    count: cases.length,
    leftOut,
  };
}
