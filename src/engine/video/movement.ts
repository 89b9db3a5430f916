/** How much a picture differs from the one before, after the camera’s own movement is taken out; and cuts. */
import type { TimedPicture } from './picture.ts';

export interface Movement {
  readonly seconds: number;
  /** Mean difference of brightness that no shift of the whole picture explains, from 0 to 1. */
  readonly residual: number;
  /** Share of the picture that differs clearly. */
  readonly share: number;
  /** Whether another scene begins here. */
  readonly isCut: boolean;
}

const bins = 16;
/** Pixels of the small picture that the camera may move between two pictures. */
const reach = 3;
const clearDifference = 24;
/** Histograms of two scenes differ by more than this, of 0 to 1, and the pictures by {@link cutResidual}. */
const cutHistogram = 0.35;
const cutResidual = 0.12;

const brightnessOf = ({ rgb }: TimedPicture, into: Uint8Array): void => {
  for (let i = 0, at = 0; at < into.length; i += 3, at += 1)
    into[at] = (77 * (rgb[i] ?? 0) + 150 * (rgb[i + 1] ?? 0) + 29 * (rgb[i + 2] ?? 0)) >> 8;
};

function histogramOf({ rgb }: TimedPicture): Float32Array {
  const counts = new Float32Array(bins * 3);
  const each = 3 / rgb.length;
  for (let i = 0; i < rgb.length; i += 1) {
    const bin = (i % 3) * bins + ((rgb[i] ?? 0) >> 4);
    counts[bin] = (counts[bin] ?? 0) + each;
  }
  return counts;
}

const distance = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / 6;

/** Follows pictures of one size, about ten a second. */
export class MovementMeter {
  readonly #width: number;
  readonly #height: number;
  #before: Uint8Array;
  #now: Uint8Array;
  #histogram: Float32Array | undefined;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#before = new Uint8Array(width * height);
    this.#now = new Uint8Array(width * height);
  }

  next(picture: TimedPicture): Movement {
    brightnessOf(picture, this.#now);
    const histogram = histogramOf(picture);
    const earlier = this.#histogram;
    this.#histogram = histogram;
    const { seconds } = picture;
    const found = earlier === undefined ? { residual: 0, share: 0 } : this.#residualAfter(this.#bestShift());
    [this.#before, this.#now] = [this.#now, this.#before];
    const isCut =
      earlier !== undefined && found.residual > cutResidual && distance(histogram, earlier) > cutHistogram;
    return { seconds, ...found, isCut };
  }

  /** The shift of the whole picture with the least difference, on every third pixel in each direction. */
  #bestShift(): { x: number; y: number } {
    let best = { x: 0, y: 0 };
    let least = this.#differenceAt(0, 0);
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1) {
        const found = this.#differenceAt(x, y);
        // A shift must explain clearly more than none: noise prefers any.
        if (found < least * 0.98) {
          least = found;
          best = { x, y };
        }
      }
    return best;
  }

  #differenceAt(shiftX: number, shiftY: number): number {
    let sum = 0;
    for (let y = reach; y < this.#height - reach; y += 3)
      for (let x = reach; x < this.#width - reach; x += 3)
        sum += Math.abs(
          (this.#now[y * this.#width + x] ?? 0) -
            (this.#before[(y + shiftY) * this.#width + x + shiftX] ?? 0),
        );
    return sum;
  }

  #residualAfter(shift: { x: number; y: number }): Pick<Movement, 'residual' | 'share'> {
    let sum = 0;
    let clear = 0;
    for (let y = reach; y < this.#height - reach; y += 1)
      for (let x = reach; x < this.#width - reach; x += 1) {
        const difference = Math.abs(
          (this.#now[y * this.#width + x] ?? 0) -
            (this.#before[(y + shift.y) * this.#width + x + shift.x] ?? 0),
        );
        sum += difference;
        if (difference > clearDifference) clear += 1;
      }
    const pixels = (this.#width - 2 * reach) * (this.#height - 2 * reach);
    return { residual: sum / pixels / 255, share: clear / pixels };
  }
}
