/** Parts of a picture with words, as a reader of words likes them best: grey, enlarged, dark letters on a light ground. */
import type { Picture } from './picture.ts';
import { backgroundOf, greyOf, type Region } from './text-regions.ts';

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** width × height bytes. */
  readonly grey: Uint8Array;
}

/** Letters of captions are some 15 pixels high; Tesseract reads best at about twice that. */
const enlargement = 2;
/** Beyond, a part is enlarged less: time for reading grows with the area. */
const mostPixels = 1280 * 720;
/** Around the part, of the colours at its border: letters that touch the edge are not read. */
const border = 20;

/** Letters cover more than a fiftieth of a region; and with less contrast than this there are none. */
const inkQuantile = 0.98;
const leastContrast = 40;
/** What is darker is ink; a row of letters is white for the most part. */
const inked = 200;
const mostInk = 0.5;

export function textStrip(picture: Picture, region: Region): GreyPicture {
  const scale = Math.min(enlargement, Math.sqrt(mostPixels / (region.width * region.height)));
  const inner = { width: Math.round(region.width * scale), height: Math.round(region.height * scale) };
  const width = inner.width + 2 * border;
  const height = inner.height + 2 * border;
  const source = lettersOf(picture, region);
  const grey = new Uint8Array(width * height);
  const rows = positions(height, region.height, scale);
  const columns = positions(width, region.width, scale);
  const sourceRow = (y: number) => source.subarray(y * region.width, (y + 1) * region.width);
  for (let y = 0; y < height; y += 1) {
    const below = sourceRow(rows.second[y] ?? 0);
    const row = Float32Array.from(sourceRow(rows.first[y] ?? 0), (above, x) =>
      mix(above, below[x] ?? 0, rows.share[y] ?? 0),
    );
    for (let x = 0; x < width; x += 1)
      grey[y * width + x] = mix(
        row[columns.first[x] ?? 0] ?? 0,
        row[columns.second[x] ?? 0] ?? 0,
        columns.share[x] ?? 0,
      );
  }
  return { width, height, grey };
}

const mix = (a: number, b: number, shareOfB: number): number => a + (b - a) * shareOfB;

/** How far each pixel is from its background on the side of the letters: they are dark, everything else is white. */
function lettersOf(picture: Picture, region: Region): Uint8Array {
  const background = backgroundOf(picture, region);
  const side = region.isLight ? 1 : -1;
  const contrasts = Float32Array.from(
    greyOf(picture, region),
    (value, at) => side * (value - (background[at % region.width] ?? 0)),
  );
  const letters = contrasts.toSorted()[Math.floor(contrasts.length * inkQuantile)] ?? 0;
  const gain = 255 / Math.max(leastContrast, letters);
  const grey = Uint8Array.from(contrasts, (contrast) => 255 - Math.min(255, Math.max(0, contrast * gain)));
  clearMargins(grey, region);
  return grey;
}

/** Rows at the border that are inked throughout are what lies beyond a box behind the words. */
function clearMargins(grey: Uint8Array, { width, height }: Region): void {
  const clear = (y: number): boolean => {
    const row = grey.subarray(y * width, (y + 1) * width);
    const isInked = row.filter((value) => value < inked).length > mostInk * width;
    if (isInked) row.fill(255);
    return isInked;
  };
  for (let y = 0; y < height && clear(y);) y += 1;
  for (let y = height - 1; y >= 0 && clear(y);) y -= 1;
}

/** For linear interpolation along one side: the two source pixels of each pixel, and the share of the second. */
function positions(length: number, sourceLength: number, scale: number) {
  const first = new Uint16Array(length);
  const second = new Uint16Array(length);
  const share = new Float32Array(length);
  for (let i = 0; i < length; i += 1) {
    const at = Math.min(sourceLength - 1, Math.max(0, (i - border + 0.5) / scale - 0.5));
    first[i] = at;
    second[i] = Math.min(sourceLength - 1, Math.floor(at) + 1);
    share[i] = at - Math.floor(at);
  }
  return { first, second, share };
}
