/** From what detectors have said about frames and spans to frames, clips and the whole. */
import type { ClipWindow } from '#engine/video/clips.ts';
import { clipProbability, flagsOf, strongest, type ScoredFrame } from '#engine/video/corroborate.ts';
import { coverageOf, type Covering } from '#engine/video/coverage.ts';
import type { Evidence } from '../detectors/detector.ts';
import type { ClipResult, FrameResult, VideoAnalysis } from './result.ts';

type Judged = ScoredFrame & Pick<FrameResult, 'isExtra' | 'picture'>;

export interface Parts {
  /** Category → threshold: the categories that are judged. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly windows: readonly ClipWindow[];
  /** In the order of time. */
  readonly judged: readonly Judged[];
  readonly evidence: readonly Evidence[];
  readonly covering: readonly Covering[];
}

type Assembled = Omit<VideoAnalysis, 'durationSeconds' | 'notes' | 'media' | 'deploymentId'>;

export function assemble({ thresholds, windows, judged, evidence: all, covering }: Parts): Assembled {
  const ids = Object.keys(thresholds);
  const known = new Set(ids);
  const evidence = all.filter(({ category }) => known.has(category));
  const scored = judged.map((frame) => ({
    ...frame,
    probs: pick(frame.probs, known),
    certain: certainAt(evidence, frame.seconds),
  }));
  const frames = framesOf(scored, thresholds);
  const clips = windows.map((window) => clipOf(window, { frames, scored, evidence, thresholds }));
  const parts = [...frames, ...clips];
  const categories = Object.fromEntries(
    ids.map((id) => [id, parts.some((each) => each.categories[id] === true)]),
  );
  const ofKnown = covering.filter(({ category }) => known.has(category));
  return {
    flag: Object.values(categories).includes(true),
    categories,
    probs: { ...zeros(ids), ...strongest(parts.map(({ probs }) => probs)) },
    frames,
    clips,
    evidence: evidence.toSorted((a, b) => b.probability - a.probability),
    coverage: coverageOf(ids, ofKnown),
    covering: ofKnown,
  };
}

function framesOf(scored: readonly Judged[], thresholds: Parts['thresholds']): FrameResult[] {
  const flags = Object.entries(thresholds).map(
    ([category, threshold]) => [category, flagsOf(scored, category, threshold)] as const,
  );
  return scored.map(({ seconds, probs, certain, isExtra, picture }, i) => ({
    seconds,
    isExtra,
    picture,
    categories: Object.fromEntries(flags.map(([category, all]) => [category, all[i] ?? false])),
    probs: { ...zeros(Object.keys(thresholds)), ...strongest([probs, certain ?? {}]) },
  }));
}

interface ClipParts extends Pick<Parts, 'evidence' | 'thresholds'> {
  readonly frames: readonly FrameResult[];
  readonly scored: readonly ScoredFrame[];
}

function clipOf(window: ClipWindow, { frames, scored, evidence, thresholds }: ClipParts): ClipResult {
  const own = evidence.filter((each) => overlaps(each, window));
  const within = scored.filter(({ seconds }) => isWithin(seconds, window));
  const flagged = frames.filter(({ seconds }) => isWithin(seconds, window));
  const ids = Object.keys(thresholds);
  const strongestOf = (id: string) =>
    Math.max(0, ...own.filter(({ category }) => category === id).map(({ probability }) => probability));
  return {
    ...window,
    probs: Object.fromEntries(ids.map((id) => [id, Math.max(clipProbability(within, id), strongestOf(id))])),
    categories: Object.fromEntries(
      ids.map((id) => {
        const byEvidence = strongestOf(id) > 0 && strongestOf(id) >= (thresholds[id] ?? 1);
        return [id, byEvidence || flagged.some(({ categories }) => categories[id] === true)];
      }),
    ),
  };
}

export const isWithin = (seconds: number, { startSeconds, endSeconds }: ClipWindow): boolean =>
  seconds >= startSeconds && seconds < endSeconds;

export const overlaps = (a: ClipWindow, b: ClipWindow): boolean =>
  a.startSeconds < b.endSeconds && a.endSeconds > b.startSeconds;

const zeros = (ids: Iterable<string>) => Object.fromEntries([...ids].map((id) => [id, 0]));

const pick = (probs: Readonly<Record<string, number>>, known: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(probs).filter(([id]) => known.has(id)));

/** What was read or understood at a moment: it needs no neighbours to count. */
function certainAt(evidence: readonly Evidence[], seconds: number): Record<string, number> {
  const at = evidence.filter(
    ({ detector, startSeconds, endSeconds }) =>
      detector === 'text' && seconds >= startSeconds - 1e-6 && seconds < endSeconds,
  );
  return strongest(at.map(({ category, probability }) => ({ [category]: probability })));
}
