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

/** Relative luminance of each pixel, from 0 to 1 (WCAG 2.2). */
export function luminanceOf({ rgb }: Picture, into: Float32Array): Float32Array {
  for (let i = 0, at = 0; at < into.length; i += 3, at += 1)
    into[at] =
      0.2126 * (linear[rgb[i] ?? 0] ?? 0) +
      0.7152 * (linear[rgb[i + 1] ?? 0] ?? 0) +
      0.0722 * (linear[rgb[i + 2] ?? 0] ?? 0);
  return into;
}
