/** Parts of a picture with words, as a reader of words likes them best: grey, enlarged, dark letters on a light ground. */
import type { Picture } from './picture.ts';
import { backgroundOf, greyOf, quantileOf, type Region } from './text-regions.ts';

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
  const { width, height } = region;
  const scale = Math.min(enlargement, Math.sqrt(mostPixels / (width * height)));
  return enlarged({ width, height, grey: lettersOf(picture, region) }, scale);
}

/** By linear interpolation, with a border. */
function enlarged(source: GreyPicture, scale: number): GreyPicture {
  const width = Math.round(source.width * scale) + 2 * border;
  const height = Math.round(source.height * scale) + 2 * border;
  const grey = new Uint8Array(width * height);
  const rows = positions(height, source.height, scale);
  const columns = positions(width, source.width, scale);
  const row = new Float32Array(source.width);
  for (let y = 0, at = 0; y < height; y += 1) {
    const above = (rows.first[y] ?? 0) * source.width;
    const below = (rows.second[y] ?? 0) * source.width;
    blend(row, source.grey, { above, below, share: rows.share[y] ?? 0 });
    for (let x = 0; x < width; x += 1, at += 1)
      grey[at] = mix(
        row[columns.first[x] ?? 0] ?? 0,
        row[columns.second[x] ?? 0] ?? 0,
        columns.share[x] ?? 0,
      );
  }
  return { width, height, grey };
}

/** What lies between two rows of the source. */
function blend(
  row: Float32Array,
  source: Uint8Array,
  { above, below, share }: { above: number; below: number; share: number },
): void {
  for (let x = 0; x < row.length; x += 1) row[x] = mix(source[above + x] ?? 0, source[below + x] ?? 0, share);
}

const mix = (a: number, b: number, shareOfB: number): number => a + (b - a) * shareOfB;

/** How far each pixel is from its background on the side of the letters: they are dark, everything else is white. */
function lettersOf(picture: Picture, region: Region): Uint8Array {
  const background = backgroundOf(picture, region);
  const side = region.isLight ? 1 : -1;
  const grey = greyOf(picture, region);
  const contrastAt = (at: number, x: number) => Math.max(0, side * ((grey[at] ?? 0) - (background[x] ?? 0)));
  const counts = new Uint32Array(256);
  eachPixel(region, (at, x) => {
    const contrast = Math.floor(contrastAt(at, x));
    counts[contrast] = (counts[contrast] ?? 0) + 1;
  });
  const gain = 255 / Math.max(leastContrast, quantileOf(counts, inkQuantile));
  const letters = new Uint8Array(grey.length);
  eachPixel(region, (at, x) => {
    letters[at] = 255 - Math.min(255, contrastAt(at, x) * gain);
  });
  clearMargins(letters, region);
  return letters;
}

function eachPixel({ width, height }: Region, visit: (at: number, x: number) => void): void {
  for (let y = 0, at = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, at += 1) visit(at, x);
}

/** Rows at the border that are inked throughout are what lies beyond a box behind the words. */
function clearMargins(grey: Uint8Array, { width, height }: Region): void {
  const clear = (y: number): boolean => {
    const row = grey.subarray(y * width, (y + 1) * width);
    let ink = 0;
    for (const value of row) if (value < inked) ink += 1;
    const isInked = ink > mostInk * width;
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
