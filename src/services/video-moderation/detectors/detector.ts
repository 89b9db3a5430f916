/** What all detectors have in common, whatever they look at. */
import type { Probs } from '#engine/video/corroborate.ts';
import type { Covering } from '#engine/video/coverage.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { DetectorName } from '../contract/names.ts';

/** What a detector has seen, for people and for the timeline. */
export interface Evidence {
  readonly category: string;
  readonly detector: DetectorName;
  readonly level: Covering['level'];
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly probability: number;
  readonly explanation: string;
}

/** Something that was not looked at, or not as well as it could be. */
export interface Note {
  readonly code: string;
  readonly message: string;
}

/** Looks at single pictures of {@link sampleSize}. */
export interface FrameDetector {
  readonly name: DetectorName;
  readonly covering: readonly Covering[];
  /** One answer for each picture. @throws the signal’s reason; AppError where it cannot answer */
  detect(pictures: readonly TimedPicture[], signal: AbortSignal): Promise<Probs[]>;
}
