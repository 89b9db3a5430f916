import type { CoverageLevel, Covering } from '#engine/video/coverage.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { Media } from '../decoding/probe.ts';
import type { Evidence, Note } from '../detectors/detector.ts';

type Flags = Readonly<Record<string, boolean>>;
type Probs = Readonly<Record<string, number>>;

export interface FrameResult {
  readonly seconds: number;
  readonly categories: Flags;
  readonly probs: Probs;
  readonly isExtra: boolean;
  /** Kept where thumbnails are asked for. */
  readonly picture: TimedPicture | undefined;
}

export interface ClipResult {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly categories: Flags;
  readonly probs: Probs;
}

export interface VideoAnalysis {
  readonly flag: boolean;
  readonly durationSeconds: number;
  readonly categories: Flags;
  readonly probs: Probs;
  readonly frames: readonly FrameResult[];
  readonly clips: readonly ClipResult[];
  /** Strongest first. */
  readonly evidence: readonly Evidence[];
  readonly coverage: Readonly<Record<string, CoverageLevel>>;
  readonly covering: readonly Covering[];
  readonly notes: readonly Note[];
  readonly media: Media;
  readonly deploymentId: string | null;
}
