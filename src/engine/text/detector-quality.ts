import type { DetectorSlug } from './types.ts';

/** How well a detector tells what violates from what does not. */
export interface DetectorQuality {
  /** The public data set that it was measured on. */
  readonly source: string;
  readonly violating: number;
  readonly harmless: number;
  /** Area under the ROC curve. */
  readonly quality: number;
  /** Share of violations that is found at probability .5, and of harmless texts that is flagged. */
  readonly found: number;
  readonly flagged: number;
}

/** Rows of the table in `data/models/README.md`: of each detector a set of English texts that is not made for near misses. */
const measured: Readonly<Record<DetectorSlug, readonly [string, number, number, number, number, number]>> = {
  'general-harmful-content': ['ailuminate_demo_en', 687, 1661, 0.931, 0.661, 0.037],
  'hate-bias-discrimination': ['stormfront', 1182, 2327, 0.849, 0.419, 0.069],
  'jailbreak-attempt': ['authensor', 27, 29, 0.815, 0.519, 0],
  'prompt-injection': ['bipia_test', 588, 211, 0.858, 0.452, 0.052],
  'violence-abuse': ['ailuminate_demo_en', 100, 1661, 0.956, 0.46, 0.006],
  'profanity-offensive-language': ['surge_toxicity', 524, 470, 0.937, 0.79, 0.043],
  'sexual-suggestive': ['ailuminate_demo_en', 293, 1661, 0.94, 0.488, 0.007],
  'unethical-illegal': ['ailuminate_demo_en', 783, 1661, 0.937, 0.48, 0.004],
  'suicide-self-harm': ['ailuminate_demo_en', 99, 1661, 0.932, 0.394, 0.019],
};

/** What was measured of a built-in detector, in English. */
export function detectorQuality(slug: DetectorSlug): DetectorQuality {
  const [source, violating, harmless, quality, found, flagged] = measured[slug];
  return { source, violating, harmless, quality, found, flagged };
}
