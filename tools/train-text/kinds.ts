/**
 * Operating points by kinds of text: of texts that the models have not seen, each kind has its own share of harmless ones
 * above probability .5. Comments hold more rough words than questions to an assistant, documents fewer.
 */
import { calibrated } from '../../src/engine/text/judge.ts';
import type { KindShifts } from '../../src/engine/text/text-kinds.ts';
import { type DetectorSlug, detectorSlugs, type TextKind, textKinds } from '../../src/engine/text/types.ts';
import { type Measured, calibrateDetector } from './calibrate.ts';
import { wishesOf } from './measure.ts';

/** What the sources hold; those that are not listed hold several kinds, or none of them. */
const sources: Record<TextKind, readonly string[]> = {
  chat: [
    'aart',
    'advbench',
    'benign_bbq',
    'benign_instructions',
    'benign_roleplay',
    'benign_security',
    'benign_service',
    'catqa',
    'do_not_answer',
    'hard_negatives',
    'jailbreak_composed',
    'jailbreak_optimised',
    'jailbreak_wild',
    'mlc_v05',
    'nibbler_rewrites',
    'safebench_text',
    'sap200',
    'xsafety_en',
    'corpus/aider-chat',
    'corpus/chatterbot',
    'corpus/polyai-utterances',
    'corpus/schema-guided-dialogue',
    'corpus/taskmaster',
    'corpus/query-wellformedness',
    'corpus/open-trivia',
    'own/adversarial-harmless',
    'own/alarming-words',
    'own/chat-requests',
    'own/creation-requests',
    'own/everyday-questions',
    'own/frames-around',
    'own/indirect-wording',
    'own/intent-frames',
    'own/jailbreak-attempts',
    'own/jailbreak-scenarios',
    'own/jailbreak-twins',
    'own/ornate-requests',
    'own/persona-requests',
    'own/plain-requests',
    'own/prompt-log',
    'own/prompt-stream',
    'own/safe-questions',
    'own/staged-requests',
    'own/twin-requests',
    'own/two-senses',
    'own/user-turns',
    'own/wrapped-goals',
  ],
  document: [
    'benign_knowledge',
    'bipia_train',
    'corpus/servicenow-docs',
    'corpus/open-source-docs',
    'corpus/docs-other-languages',
    'corpus/eips',
    'corpus/owasp',
    'corpus/medquad',
    'corpus/wikipedia-questions',
    'corpus/xquad',
    'corpus/eltec-eng',
    'own/about-attacks',
    'own/document-orders',
    'own/hidden-orders',
    'own/injection-carriers',
    'own/tables-and-code',
    'own/titles-and-prose',
  ],
  comment: [
    'davidson',
    'edos',
    'hatemoji_build',
    'implicit_hate',
    'online_misogyny',
    'paradetox',
    'posts_composed',
    'toxic_spans',
    'wiki_talk_context',
    'corpus/reddit-other-languages',
    'own/comment-threads',
    'own/everyday-exaggeration',
    'own/hate-functional',
    'own/hate-pairs',
    'own/long-posts',
    'own/profanity-graded',
    'own/public-comments',
    'own/threats-and-hyperbole',
  ],
  reply: ['own/assistant-replies', 'own/reply-sides'],
};

/** What a detector looks for: orders to a model, one kind of harm, or any. */
type Aim = 'attack' | 'content' | 'general';
/**
 * How many times as many harmless texts of a kind may be flagged as of all kinds. Among comments there is far more harm than
 * among questions to an assistant, so that finding it weighs more; its kinds are told there, and harm in general would only
 * add false alarms to theirs. In documents there is hardly anything but orders to their reader.
 */
const tolerance: Record<TextKind, Readonly<Record<Aim, number>>> = {
  chat: { attack: 1, content: 1, general: 1 },
  document: { attack: 2, content: 0.5, general: 0.5 },
  comment: { attack: 1, content: 3, general: 1 },
  reply: { attack: 1, content: 1, general: 1 },
};
const attacks: readonly DetectorSlug[] = ['jailbreak-attempt', 'prompt-injection'];
const aimOf = (slug: DetectorSlug): Aim =>
  attacks.includes(slug) ? 'attack' : slug === 'general-harmful-content' ? 'general' : 'content';
/** With fewer harmless rows a kind has no operating point of its own. */
const leastHarmless = 150;
/** Nothing is flagged more readily where hardly any harm of the kind is known. */
const leastHarmful = 60;
/** Rows at which the rows of the kind count as much as those of all kinds. */
const halfTrust = 300;
const furthest = { down: -2, up: 1 };

const unit = { mean: 0, deviation: 1 };
const hundredths = (logit: number) => Math.round(logit * 100) / 100;

/** Comments are rarely known to be free of every kind of harm: for harm in general, nothing known against them is enough. */
const isHarmlessFor = ({ harmless, labels }: Measured, slug: DetectorSlug, detector: number): boolean =>
  harmless || (aimOf(slug) === 'general' && labels[detector] === 0 && !labels.includes(1));

/** @param outOfFold logits of rows by models that were trained without their group of sources */
export function shiftsByKind(outOfFold: readonly Measured[]): KindShifts {
  const shifts: KindShifts = {};
  detectorSlugs.forEach((slug, detector) => {
    const wishes = wishesOf(detector);
    const by = { ...calibrateDetector(outOfFold, detector, wishes), linear: unit, net: unit };
    for (const kind of textKinds) {
      const own = outOfFold.filter(({ source }) => sources[kind].includes(source));
      const shift = shiftOf(
        own
          .filter((row) => isHarmlessFor(row, slug, detector))
          .map((row) => calibrated(row, detector, by, row.tokens)),
        own.filter(({ labels }) => labels[detector] === 1).length,
        wishes.falsePositiveRate * tolerance[kind][aimOf(slug)],
      );
      if (shift !== 0) (shifts[kind] ??= {})[slug] = shift;
    }
  });
  return shifts;
}

/** So much that harmless rows of the kind lie above probability .5 as often as harmless rows of all kinds. */
function shiftOf(harmless: readonly number[], harmful: number, rate: number): number {
  if (harmless.length < leastHarmless) return 0;
  const sorted = harmless.toSorted((a, b) => b - a);
  const cut = sorted[Math.floor(sorted.length * rate)] ?? 0;
  const trust = harmless.length / (harmless.length + halfTrust);
  const most = harmful < leastHarmful ? 0 : furthest.up;
  return hundredths(Math.min(most, Math.max(furthest.down, -cut * trust)));
}
