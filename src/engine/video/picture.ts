/** A picture as bytes of red, green and blue, row after row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** width × height × 3 bytes, sRGB. */
  readonly rgb: Uint8Array;
}

/** A picture of a video. */
export interface TimedPicture extends Picture {
  readonly seconds: number;
}

/** sRGB byte → linear light from 0 to 1 (IEC 61966-2-1; the threshold .04045 as in WCAG 2.2). */
export const linear: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
