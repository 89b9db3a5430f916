/**
 * Flags of frames after corroboration. Image models are wrong on about every fiftieth harmless frame, which would flag two
 * minutes out of three; frames that are wrong alone are rare next to each other.
 */

/** Category → probability. */
export type Probs = Readonly<Record<string, number>>;
/** Category → from which probability it counts. */
export type Thresholds = Readonly<Record<string, number>>;

export interface ScoredFrame {
  readonly seconds: number;
  /** Of detectors that look at this picture alone, before corroboration. */
  readonly probs: Probs;
  /** Of evidence that needs no corroboration, such as words that were read and judged. */
  readonly certain?: Probs | undefined;
}

/** A single frame counts from here on. */
const certainProbability = 0.95;
const neighbours = 3;
const needed = 2;

/** Whether each frame is flagged for the category. Frames come in the order of time. */
export function flagsOf(frames: readonly ScoredFrame[], category: string, threshold: number): boolean[] {
  const isHit = frames.map(({ probs }) => (probs[category] ?? 0) >= threshold && (probs[category] ?? 0) > 0);
  return frames.map(({ probs, certain }, i) => {
    const sure = certain?.[category] ?? 0;
    if (sure > 0 && sure >= threshold) return true;
    if (isHit[i] !== true) return false;
    if ((probs[category] ?? 0) >= Math.max(certainProbability, threshold)) return true;
    for (let start = Math.max(0, i - neighbours + 1); start <= i; start += 1)
      if (isHit.slice(start, start + neighbours).filter(Boolean).length >= needed) return true;
    return false;
  });
}

/** Frames that reach a threshold alone: more frames close to them tell whether they are right. */
export function doubtfulOf(frames: readonly ScoredFrame[], thresholds: Thresholds): number[] {
  const doubtful = new Set<number>();
  for (const [category, threshold] of Object.entries(thresholds)) {
    const flags = flagsOf(frames, category, threshold);
    frames.forEach(({ seconds, probs }, i) => {
      if (flags[i] !== true && (probs[category] ?? 0) > 0 && (probs[category] ?? 0) >= threshold)
        doubtful.add(seconds);
    });
  }
  return [...doubtful].toSorted((a, b) => a - b);
}

/** The probability of a clip by its frames: the mean of the two strongest. */
export function clipProbability(frames: readonly ScoredFrame[], category: string): number {
  const certain = Math.max(0, ...frames.map((frame) => frame.certain?.[category] ?? 0));
  const [first = 0, second] = frames.map(({ probs }) => probs[category] ?? 0).toSorted((a, b) => b - a);
  return Math.max(certain, second === undefined ? first : (first + second) / 2);
}

/** The strongest probability of each category. */
export function strongest(all: readonly Probs[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const probs of all)
    for (const [category, value] of Object.entries(probs))
      found[category] = Math.max(found[category] ?? 0, value);
  return found;
}
