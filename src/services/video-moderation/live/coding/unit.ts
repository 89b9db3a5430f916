/** Coded pictures as they come from a sender, whatever the transport. */

export type Codec = 'h264' | 'vp8' | 'mjpeg' | 'rgb24' | 'rgba' | 'yuv420p';

/** Formats in which each picture stands alone: any of them may be left out. */
const standalone: ReadonlySet<Codec> = new Set(['mjpeg', 'rgb24', 'rgba', 'yuv420p']);

export const isStandalone = (codec: Codec): boolean => standalone.has(codec);

/** What a decoder must know before the first picture. */
export interface CodecSettings {
  readonly codec: Codec;
  /** For H.264 and VP8 only a hint: the stream itself says. */
  readonly width: number;
  readonly height: number;
  /** Of H.264: the record of ISO/IEC 14496-15 (`avcC`). */
  readonly description?: Buffer | undefined;
}

/** One coded picture. */
export interface Unit {
  /** H.264 with lengths of 4 bytes before each part (as in MP4), or the codec’s own bytes. */
  readonly data: Buffer;
  /** By the sender’s clock. */
  readonly timestampMs: number;
  /** Whether it can be decoded without those before. */
  readonly isKey: boolean;
  /** When its last byte was here, by `performance.now()`. */
  readonly arrivedMs: number;
}

/** Bytes of one raw picture. */
export function rawBytes({ codec, width, height }: CodecSettings): number | undefined {
  if (codec === 'rgb24') return width * height * 3;
  if (codec === 'rgba') return width * height * 4;
  // Two planes of a quarter of the size, rounded up.
  if (codec === 'yuv420p') return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  return undefined;
}
