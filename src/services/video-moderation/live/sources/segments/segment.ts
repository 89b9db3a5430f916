/** What playlists of HLS and manifests of DASH have in common: parts of a stream, in files. */
import type { ByteRange } from './fetch-bytes.ts';

export interface FilePart {
  readonly url: string;
  readonly range?: ByteRange | undefined;
}

export interface Encryption {
  readonly keyUrl: string;
  /** 16 bytes. */
  readonly iv: Buffer;
}

export interface Segment extends FilePart {
  /** Grows from segment to segment, and stays when the list is loaded again. */
  readonly position: number;
  readonly seconds: number;
  /** What must be read before, of fragmented MP4. */
  readonly init: FilePart | undefined;
  readonly encryption: Encryption | undefined;
  /** Its times do not continue those of the segment before. */
  readonly isDiscontinuous: boolean;
}

export interface SegmentList {
  /** In the order of time. */
  readonly segments: readonly Segment[];
  /** Nothing will be added. */
  readonly isFinished: boolean;
  /** After how long to load it again. */
  readonly reloadMs: number;
}

/** @throws AppError 422 for what is not understood; as {@link fetchBytes} */
export type LoadSegments = (signal: AbortSignal) => Promise<SegmentList>;

/** How often a list is loaded again: soon enough that a segment does not wait long. */
export const reloadAfter = (segmentSeconds: number): number =>
  Math.min(3000, Math.max(300, (segmentSeconds * 1000) / 3));
