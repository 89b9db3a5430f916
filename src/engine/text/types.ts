import type { Head } from './adapted-head.ts';

/** How much counts as a violation; moves the operating point, not the threshold. */
export type Strictness = 'low' | 'medium' | 'high';

/** The nine built-in detectors; the ids of the built-in policies are the same words. */
export const detectorSlugs = [
  'general-harmful-content',
  'hate-bias-discrimination',
  'jailbreak-attempt',
  'prompt-injection',
  'violence-abuse',
  'profanity-offensive-language',
  'sexual-suggestive',
  'unethical-illegal',
  'suicide-self-harm',
] as const;

export type DetectorSlug = (typeof detectorSlugs)[number];

/** Detectors that judge windows of a text, not single sentences, and take nothing over from others: each can be asked alone. */
export type LoneDetector = Exclude<
  DetectorSlug,
  'general-harmful-content' | 'jailbreak-attempt' | 'prompt-injection'
>;

export interface PolicySource {
  name: string;
  description: string;
  blockActivities: readonly string[];
  safeActivities: readonly string[];
  /** Set for the nine built-in policies and their copies. */
  detector?: DetectorSlug | undefined;
}

/** What a text is: each kind has its own share of harmless texts that look harmful. */
export const textKinds = ['chat', 'document', 'comment', 'reply'] as const;

export type TextKind = (typeof textKinds)[number];

/** One phrase of a policy, ready to be compared. */
export interface CompiledPhrase {
  text: string;
  /** Stem and weight (grows with the rarity of the word in ordinary text). */
  stems: [stem: string, weight: number][];
  /** Stems that stand for one of `stems`. */
  synonyms: [stem: string, standsFor: string][];
  /** The words that are compared by their vectors. */
  words: string[];
}

/** A policy made ready at save time. JSON-serialisable; carries the engine version that made it. */
export interface CompiledPolicy {
  engineVersion: string;
  name: string;
  detector?: DetectorSlug | undefined;
  block: CompiledPhrase[];
  safe: CompiledPhrase[];
  /** Built-in detectors whose subject the policy text names, and how much each counts (0..1). */
  priors: { detector: DetectorSlug; weight: number }[];
  /** Learned from labelled examples; see `TextEngine.adapt`. */
  head?: Head | undefined;
}

/** A text that a person has judged by one policy. */
export interface PolicyExample {
  text: string;
  messages?: readonly ContextMessage[] | undefined;
  /** Whether it violates the policy. */
  violates: boolean;
}

export interface ContextMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A part of the text that carried a verdict. */
export interface Evidence {
  /** Offsets in UTF-16 code units into the original text; `end` is exclusive. */
  start: number;
  end: number;
  quote: string;
  /** What the engine read there, once what hid it was undone. */
  readAs: string;
  /** Share in the score, in logits. */
  weight: number;
  /** What made it readable: `plain`, `leet`, `base64`, … */
  view: string;
  reason: string;
}

export interface PolicyScore {
  /** Calibrated, at medium strictness, 0..1. */
  readonly probability: number;
  /** Whether a safe phrase of a custom policy lies so much nearer than any block phrase that it decided. */
  readonly vetoed: boolean;
  /** Strongest first. Computed when first read. */
  readonly evidence: readonly Evidence[];
}
