/**
 * Open fire, by its colours and their flicker: pixels with the colours of a flame whose brightness goes up and down many
 * times within two seconds, without cuts, which look the same. Within a flame brightness changes everywhere, and at each
 * place differently: an orange thing that moves keeps its brightness, and warm light that flickers changes as a whole. A
 * heuristic: warm lights that move have all of it as well.
 */
import type { TimedPicture } from './picture.ts';

export interface FireWindow {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Share of the picture with the colours of fire, in the mean. */
  readonly colour: number;
  /** Share of those pixels that flicker. */
  readonly flicker: number;
  /** How much of it changes its brightness clearly from picture to picture, of what keeps the colours of fire. */
  readonly change: number;
  /** From 0, where as much of it gets brighter as gets darker, to 1, where all of it changes in one direction. */
  readonly unison: number;
  /** Whether both are as with fire. */
  readonly isFire: boolean;
}

const windowSeconds = 2;
/** Turns of brightness of a pixel within a window, and how far it must go each time. */
const fewestTurns = 3;
const clearStep = 16;
const leastColour = 0.008;
const leastFlicker = 0.3;
const mostCuts = 1;
const leastChange = 0.5;
const mostUnison = 0.7;
/** Less than this is compression. */
const clearChange = 5;

/** Red over green over blue, bright and saturated: the yellow to red of a flame, and hardly that of skin. */
const hasColour = (red: number, green: number, blue: number): boolean =>
  red > 150 && red > green * 1.15 && green > blue * 1.1 && red - blue > 80;

/** Changes of brightness from picture to picture within a window. */
class Changes {
  #count = 0;
  #oneWay = 0;
  #both = 0;
  #up = 0;
  #down = 0;

  add(step: number): void {
    this.#count += 1;
    if (step >= clearChange) this.#up += 1;
    else if (step <= -clearChange) this.#down += 1;
  }

  endPicture(): void {
    this.#oneWay += Math.abs(this.#up - this.#down);
    this.#both += this.#up + this.#down;
    this.#up = 0;
    this.#down = 0;
  }

  get change(): number {
    return this.#count === 0 ? 0 : this.#both / this.#count;
  }

  get unison(): number {
    return this.#both === 0 ? 1 : this.#oneWay / this.#both;
  }
}

export class FireMeter {
  readonly #turns: Uint8Array;
  readonly #extreme: Float32Array;
  readonly #direction: Int8Array;
  readonly #coloured: Uint16Array;
  readonly #value: Float32Array;
  /** Whether the pixel had the colours of fire in the picture before. */
  readonly #had: Uint8Array;
  #changes = new Changes();
  #pictures = 0;
  #cuts = 0;
  #startSeconds: number | undefined;

  constructor(width: number, height: number) {
    const pixels = width * height;
    this.#turns = new Uint8Array(pixels);
    this.#extreme = new Float32Array(pixels);
    this.#direction = new Int8Array(pixels);
    this.#coloured = new Uint16Array(pixels);
    this.#value = new Float32Array(pixels);
    this.#had = new Uint8Array(pixels);
  }

  /** @returns a window that this picture ends */
  next(picture: TimedPicture, isCut: boolean): FireWindow | undefined {
    const { seconds } = picture;
    const start = (this.#startSeconds ??= seconds);
    if (isCut) this.#cuts += 1;
    this.#follow(picture);
    if (seconds - start < windowSeconds) return undefined;
    const found = this.#window(start, seconds);
    this.#forget();
    return found;
  }

  #follow({ rgb }: TimedPicture): void {
    this.#pictures += 1;
    for (let i = 0, at = 0; at < this.#turns.length; i += 3, at += 1) {
      const red = rgb[i] ?? 0;
      const green = rgb[i + 1] ?? 0;
      const blue = rgb[i + 2] ?? 0;
      const value = (red + green) / 2;
      const has = hasColour(red, green, blue) ? 1 : 0;
      this.#coloured[at] = (this.#coloured[at] ?? 0) + has;
      if (has === 1 && this.#had[at] === 1) this.#changes.add(value - (this.#value[at] ?? 0));
      this.#value[at] = value;
      this.#had[at] = has;
      if (this.#pictures === 1) this.#extreme[at] = value;
      else this.#turn(at, value);
    }
    this.#changes.endPicture();
  }

  /** Counts a change of direction that goes far enough from the last extreme. */
  #turn(at: number, value: number): void {
    const step = value - (this.#extreme[at] ?? 0);
    const direction = this.#direction[at] ?? 0;
    if (Math.abs(step) >= clearStep && Math.sign(step) !== direction) {
      if (direction !== 0) this.#turns[at] = (this.#turns[at] ?? 0) + 1;
      this.#direction[at] = Math.sign(step);
      this.#extreme[at] = value;
    } else if (direction !== 0 && step * direction > 0) this.#extreme[at] = value;
  }

  #window(startSeconds: number, endSeconds: number): FireWindow {
    let coloured = 0;
    let candidates = 0;
    let flickering = 0;
    for (let at = 0; at < this.#turns.length; at += 1) {
      const share = (this.#coloured[at] ?? 0) / this.#pictures;
      coloured += share;
      if (share < 0.3) continue;
      candidates += 1;
      if ((this.#turns[at] ?? 0) >= fewestTurns) flickering += 1;
    }
    const colour = coloured / this.#turns.length;
    const flicker = candidates === 0 ? 0 : flickering / candidates;
    const { change, unison } = this.#changes;
    const flickers = flicker >= leastFlicker && change >= leastChange && unison <= mostUnison;
    const isFire = colour >= leastColour && flickers && this.#cuts <= mostCuts;
    return { startSeconds, endSeconds, colour, flicker, change, unison, isFire };
  }

  #forget(): void {
    this.#turns.fill(0);
    this.#direction.fill(0);
    this.#coloured.fill(0);
    this.#had.fill(0);
    this.#changes = new Changes();
    this.#pictures = 0;
    this.#cuts = 0;
    this.#startSeconds = undefined;
  }
}
