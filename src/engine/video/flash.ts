/**
 * Flashes that can trigger seizures, by WCAG 2.2 ("general flash and red flash thresholds"): more than three flashes
 * within a second over a quarter of the picture. A flash is a pair of opposing transitions:
 *
 * - general: relative luminance changes by .1 or more, and the darker state is below .8;
 * - red: the amount of red, max(0, R − G − B) × 320 in linear light, changes by more than 20, and one of the states is
 *   saturated: R ÷ (R + G + B) is .8 or more.
 *
 * Each pixel is compared with its own last extreme, so that a change over several pictures counts as one transition. How
 * many pixels of a block rise is counted against those that fall: what merely moves through a picture raises as many as
 * it lowers, while alternating areas of the size of a block or more count in full.
 */
import { linear, type TimedPicture } from './picture.ts';

export interface FlashEvent {
  readonly kind: 'general' | 'red';
  /** When the transition was complete. */
  readonly seconds: number;
  readonly direction: 'up' | 'down';
  /** Share of the picture, from 0 to 1. */
  readonly area: number;
}

export interface FlashWindow {
  readonly kind: FlashEvent['kind'];
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** The most opposing transitions within any second of it. */
  readonly transitions: number;
}

/** The smallest share of the picture. */
const area = 0.25;
/** Opposing transitions within a second that are still allowed: three flashes. */
export const allowedTransitions = 6;
const windowSeconds = 1;
/** Three flashes a second are allowed: their seventh transition comes a second after the first, give or take rounding. */
const tolerance = 0.002;
/** Pixels whose transitions are at most so far apart count as one change of the picture. */
const concurrentSeconds = 0.1;
const blocks = 6;

/** State of one quantity: its extreme for each pixel since the last transition. */
class Quantity {
  readonly #kind: FlashEvent['kind'];
  readonly #step: number;
  /** The lowest and highest value of each pixel since its last transition. */
  readonly #low: Float32Array;
  readonly #high: Float32Array;
  /** Whether the pixel was saturated at its extreme, for red. */
  readonly #lowQualifies: Uint8Array;
  readonly #highQualifies: Uint8Array;
  /** The last transition of each pixel: its direction, and its picture. */
  readonly #turned: Int8Array;
  readonly #turnedAt: Float32Array;
  readonly #width: number;
  readonly #height: number;
  #last: FlashEvent['direction'] | undefined;
  #isFirst = true;

  constructor(kind: FlashEvent['kind'], step: number, width: number, height: number) {
    const pixels = width * height;
    this.#kind = kind;
    this.#step = step;
    this.#low = new Float32Array(pixels);
    this.#high = new Float32Array(pixels);
    this.#lowQualifies = new Uint8Array(pixels);
    this.#highQualifies = new Uint8Array(pixels);
    this.#turned = new Int8Array(pixels);
    this.#turnedAt = new Float32Array(pixels).fill(-10);
    this.#width = width;
    this.#height = height;
  }

  /**
   * @param values of each pixel
   * @param qualifies of each pixel whether its state alone makes a transition count
   */
  next(seconds: number, values: Float32Array, qualifies: Uint8Array): FlashEvent | undefined {
    if (this.#isFirst) {
      this.#low.set(values);
      this.#high.set(values);
      this.#lowQualifies.set(qualifies);
      this.#highQualifies.set(qualifies);
      this.#isFirst = false;
      return undefined;
    }
    for (let at = 0; at < values.length; at += 1)
      this.#turn(at, values[at] ?? 0, qualifies[at] ?? 0, seconds);
    return this.#judge(seconds);
  }

  #turn(at: number, value: number, qualifies: number, seconds: number): void {
    const rise = value - (this.#low[at] ?? 0);
    const fall = (this.#high[at] ?? 0) - value;
    const isUp = rise >= this.#step && this.#counts(this.#lowQualifies[at], qualifies);
    const isDown = fall >= this.#step && this.#counts(qualifies, this.#highQualifies[at]);
    const isTurn = isUp || isDown;
    if (isTurn) this.#note(at, isUp ? 1 : -1, seconds);
    // After a transition the pixel is measured against this state, in either direction.
    if (isTurn || rise < 0) {
      this.#low[at] = value;
      this.#lowQualifies[at] = qualifies;
    }
    if (isTurn || fall < 0) {
      this.#high[at] = value;
      this.#highQualifies[at] = qualifies;
    }
  }

  #note(at: number, direction: 1 | -1, seconds: number): void {
    if (this.#turned[at] !== direction) this.#turnedAt[at] = seconds;
    this.#turned[at] = direction;
  }

  /** Of a general flash the lower state must be dark, of a red one either state saturated. */
  #counts(lower: number | undefined, upper: number | undefined): boolean {
    return lower === 1 || (this.#kind === 'red' && upper === 1);
  }

  /** Adds up what has turned concurrently, block by block. */
  #judge(seconds: number): FlashEvent | undefined {
    const net = new Int32Array(blocks * blocks);
    for (let y = 0, at = 0; y < this.#height; y += 1) {
      const row = Math.floor((y * blocks) / this.#height) * blocks;
      for (let x = 0; x < this.#width; x += 1, at += 1)
        if (seconds - (this.#turnedAt[at] ?? 0) <= concurrentSeconds) {
          const block = row + Math.floor((x * blocks) / this.#width);
          net[block] = (net[block] ?? 0) + (this.#turned[at] ?? 0);
        }
    }
    const up = net.reduce((sum, each) => sum + Math.max(0, each), 0) / this.#turned.length;
    const down = net.reduce((sum, each) => sum + Math.max(0, -each), 0) / this.#turned.length;
    const direction = up >= down ? 'up' : 'down';
    const share = Math.max(up, down);
    if (share < area || direction === this.#last) return undefined;
    this.#last = direction;
    return { kind: this.#kind, seconds, direction, area: share };
  }
}

/** Follows a video picture by picture. All pictures have one size. */
export class FlashRule {
  readonly #general: Quantity;
  readonly #red: Quantity;
  readonly #luminance: Float32Array;
  readonly #redness: Float32Array;
  readonly #isDark: Uint8Array;
  readonly #isSaturated: Uint8Array;
  readonly #recent: Record<FlashEvent['kind'], number[]> = { general: [], red: [] };
  readonly #open: Partial<Record<FlashEvent['kind'], FlashWindow>> = {};

  constructor(width: number, height: number) {
    this.#general = new Quantity('general', 0.1, width, height);
    // “More than 20”: the smallest step of a byte in linear light is about .1 of it.
    this.#red = new Quantity('red', 20.0001, width, height);
    this.#luminance = new Float32Array(width * height);
    this.#redness = new Float32Array(width * height);
    this.#isDark = new Uint8Array(width * height);
    this.#isSaturated = new Uint8Array(width * height);
  }

  /** @returns the transitions that this picture completes, and windows of too many flashes that have ended */
  next(picture: TimedPicture): { transitions: FlashEvent[]; ended: FlashWindow[] } {
    this.#measure(picture);
    const transitions = [
      this.#general.next(picture.seconds, this.#luminance, this.#isDark),
      this.#red.next(picture.seconds, this.#redness, this.#isSaturated),
    ].filter((each) => each !== undefined);
    const ended: FlashWindow[] = [];
    for (const { kind, seconds } of transitions) this.#count(kind, seconds);
    for (const kind of ['general', 'red'] as const) {
      const open = this.#open[kind];
      if (open === undefined || picture.seconds - open.endSeconds <= windowSeconds) continue;
      ended.push(open);
      delete this.#open[kind];
    }
    return { transitions, ended };
  }

  /** Windows that have not ended with the video. */
  end(): FlashWindow[] {
    return Object.values(this.#open);
  }

  /** The most opposing transitions in the second before, whether allowed or not. */
  get current(): number {
    return Math.max(this.#recent.general.length, this.#recent.red.length);
  }

  #measure({ rgb }: TimedPicture): void {
    for (let i = 0, at = 0; at < this.#luminance.length; i += 3, at += 1) {
      const red = linear[rgb[i] ?? 0] ?? 0;
      const green = linear[rgb[i + 1] ?? 0] ?? 0;
      const blue = linear[rgb[i + 2] ?? 0] ?? 0;
      const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      this.#luminance[at] = luminance;
      this.#isDark[at] = luminance < 0.8 ? 1 : 0;
      this.#redness[at] = Math.max(0, red - green - blue) * 320;
      const sum = red + green + blue;
      this.#isSaturated[at] = sum > 0 && red / sum >= 0.8 ? 1 : 0;
    }
  }

  #count(kind: FlashEvent['kind'], seconds: number): void {
    const recent = [...this.#recent[kind], seconds].filter(
      (each) => seconds - each < windowSeconds - tolerance,
    );
    this.#recent[kind] = recent;
    if (recent.length <= allowedTransitions) return;
    const open = this.#open[kind];
    this.#open[kind] = {
      kind,
      startSeconds: open?.startSeconds ?? recent[0] ?? seconds,
      endSeconds: seconds,
      transitions: Math.max(open?.transitions ?? 0, recent.length),
    };
  }
}
