import type { Picture } from '#engine/video/picture.ts';

const isBlack = (rgb: Uint8Array, from: number, step: number, count: number): boolean => {
  for (let i = 0, at = from; i < count; i += 1, at += step)
    if ((rgb[at] ?? 0) + (rgb[at + 1] ?? 0) + (rgb[at + 2] ?? 0) > 0) return false;
  return true;
};

/** A picture without the black bars that keep its proportions: their edges would look like strokes of letters. */
export function trimmed({ width, height, rgb }: Picture): Picture {
  const rowIsBlack = (y: number) => isBlack(rgb, y * width * 3, 3, width);
  const columnIsBlack = (x: number) => isBlack(rgb, x * 3, width * 3, height);
  let top = 0;
  while (top < height / 2 && rowIsBlack(top) && rowIsBlack(height - 1 - top)) top += 1;
  let left = 0;
  while (left < width / 2 && columnIsBlack(left) && columnIsBlack(width - 1 - left)) left += 1;
  if (top >= height / 2 || left >= width / 2 || (top === 0 && left === 0)) return { width, height, rgb };
  const size = { width: width - 2 * left, height: height - 2 * top };
  const cut = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y += 1) {
    const from = ((y + top) * width + left) * 3;
    cut.set(rgb.subarray(from, from + size.width * 3), y * size.width * 3);
  }
  return { ...size, rgb: cut };
}
