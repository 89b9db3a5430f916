import { Judge, calibrated } from '../../src/engine/text/judge.ts';
import { type Calibration, parseModel } from '../../src/engine/text/model.ts';
import { isHarmless } from './augment.ts';
import { type CalibrationOptions, type Measured, calibrateDetector } from './calibrate.ts';
import { toWords } from './examples.ts';
import { scaleOf, thinned } from './folds.ts';
import { type LabelledRow, detectorIds } from './rows.ts';

const mostTokens = 256;

/** Logits of the exported weights, so that calibration uses the values that the engine will compute. */
function measure(file: Uint8Array, rows: readonly LabelledRow[]): Measured[] {
  const judge = new Judge(parseModel(file, 'the new weights'));
  return rows.flatMap((row) => {
    const words = toWords(row.text).slice(0, mostTokens);
    if (words.length === 0) return [];
    const { linear, net } = judge.logits(judge.input(words), 0, words.length);
    const harmless = isHarmless(row);
    const { labels, source } = row;
    return { linear: linear.slice(), net: net.slice(), tokens: words.length, labels, source, harmless };
  });
}

interface Wishes {
  /** Weight of the net; the linear model has the rest. */
  netShare: number;
  /** Maximum false-positive rate on harmless rows of unseen sources at probability .5. */
  falsePositiveRate: number;
}

/** Chosen by leaving out groups of sources (see the decision record). */
const wishes: Record<(typeof detectorIds)[number], Wishes> = {
  general_harmful: { netShare: 0.5, falsePositiveRate: 0.053 },
  hate_bias: { netShare: 0.6, falsePositiveRate: 0.01 },
  jailbreak: { netShare: 0.7, falsePositiveRate: 0.016 },
  prompt_injection: { netShare: 0.7, falsePositiveRate: 0.021 },
  violence_abuse: { netShare: 0.45, falsePositiveRate: 0.01 },
  profanity_offensive: { netShare: 0.4, falsePositiveRate: 0.01 },
  sexual_suggestive: { netShare: 0.35, falsePositiveRate: 0.01 },
  unethical_illegal: { netShare: 0.5, falsePositiveRate: 0.018 },
  self_harm: { netShare: 0.5, falsePositiveRate: 0.008 },
};

const positiveShare = 0.15;

/** How a detector is calibrated, by its number. */
export function wishesOf(detector: number): CalibrationOptions {
  const id = detectorIds[detector];
  if (id === undefined) throw new RangeError(`no detector number ${detector}`);
  return { ...wishes[id], positiveShare };
}

/**
 * Calibration of every detector: slope and offsets from rows of sources that the models had not seen, the scale of
 * the logits from the exported weights on harmless rows that were not used in training.
 */
export function calibrate(
  outOfFold: readonly Measured[],
  file: Uint8Array,
  rows: readonly LabelledRow[],
): Calibration[] {
  const kept = rows.filter((row) => row.split === 'dev' && isHarmless(row));
  const scale = scaleOf(measure(file, thinned(kept, 100)));
  return detectorIds.map((_, detector) => {
    const found = calibrateDetector(outOfFold, detector, wishesOf(detector));
    const unit = { mean: 0, deviation: 1 };
    return { ...found, linear: scale.linear[detector] ?? unit, net: scale.net[detector] ?? unit };
  });
}

/**
 * Calibration after fine-tuning: slopes and shares as before, a new scale of the logits, and offsets shifted so that
 * harmless rows that were not used in training lie above probability .5 as often as before.
 */
export function recalibrate(
  old: readonly Calibration[],
  { before, after }: { before: Uint8Array; after: Uint8Array },
  rows: readonly LabelledRow[],
): Calibration[] {
  const kept = thinned(
    rows.filter((row) => row.split === 'dev' && isHarmless(row)),
    100,
  );
  const [was, is] = [measure(before, kept), measure(after, kept)];
  const scale = scaleOf(is);
  const unit = { mean: 0, deviation: 1 };
  return old.map((by, detector) => {
    const moved = { ...by, linear: scale.linear[detector] ?? unit, net: scale.net[detector] ?? unit };
    const logits = (set: readonly Measured[], from: Calibration) =>
      set.map((row) => calibrated(row, detector, from, row.tokens)).sort((a, b) => b - a);
    const flagged = logits(was, by).filter((logit) => logit > 0).length;
    const cut = logits(is, moved)[flagged] ?? 0;
    return { ...moved, offsets: by.offsets.map((offset) => offset - cut) };
  });
}
