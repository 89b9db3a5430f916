/** One text through the stance net of `stance-net.ts` and back: the gradient of its logit by back-propagation. */
import type { Random } from '../../src/base/random.ts';
import {
  mostNetTokens,
  netLayout,
  netPooled,
  netWidth,
  netWindow,
} from '../../src/engine/text/stance-net.ts';

/** A layer's numbers, with an empty token before the first and behind the last. */
const netBuffer = () => new Float64Array((mostNetTokens + 2) * netWidth);

/** Factors of numbers, some of which are left out at random (dropout, Srivastava et al. 2014). */
function drawMask(mask: Float64Array, count: number, dropped: number, random: Random | undefined): void {
  if (random === undefined) mask.fill(1, 0, count);
  else for (let i = 0; i < count; i++) mask[i] = random.next() < dropped ? 0 : 1 / (1 - dropped);
}

function multiplyBy(from: Float64Array, mask: Float64Array, to: Float64Array, end: number): void {
  for (let i = 0; i < end; i++) to[i] = (from[i] ?? 0) * (mask[i] ?? 0);
}

/**
 * One layer at token `t`, by the weights of `layers` from `weights` on, with the biases behind them; no number below 0.
 * Before token 0 stands an empty one, so the window begins at `t`. Four at once: what is read of the window is read once
 * for them.
 */
function convolve(
  layers: Float64Array,
  weights: number,
  from: Float64Array,
  to: Float64Array,
  t: number,
): void {
  const begin = t * netWidth;
  const end = begin + netWindow;
  const bias = weights + netWidth * netWindow;
  for (let o = 0; o < netWidth; o += 4) {
    let w = weights + o * netWindow;
    let a = layers[bias + o] ?? 0;
    let b = layers[bias + o + 1] ?? 0;
    let c = layers[bias + o + 2] ?? 0;
    let d = layers[bias + o + 3] ?? 0;
    for (let i = begin; i < end; i++, w++) {
      const value = from[i] ?? 0;
      a += value * (layers[w] ?? 0);
      b += value * (layers[w + netWindow] ?? 0);
      c += value * (layers[w + 2 * netWindow] ?? 0);
      d += value * (layers[w + 3 * netWindow] ?? 0);
    }
    const at = begin + netWidth + o;
    to[at] = Math.max(0, a);
    to[at + 1] = Math.max(0, b);
    to[at + 2] = Math.max(0, c);
    to[at + 3] = Math.max(0, d);
  }
}

/** Back through `convolve`: `pull` is the gradient of what it gave, none where that is 0. */
function convolveBack(
  { layers, gradient, weights }: { layers: Float64Array; gradient: Float64Array; weights: number },
  from: Float64Array,
  fromPull: Float64Array,
  pull: Float64Array,
  t: number,
): void {
  const begin = t * netWidth;
  const bias = weights + netWidth * netWindow;
  for (let o = 0; o < netWidth; o++) {
    const by = pull[begin + netWidth + o] ?? 0;
    if (by === 0) continue;
    gradient[bias + o] = (gradient[bias + o] ?? 0) + by;
    const row = weights + o * netWindow;
    for (let i = 0; i < netWindow; i++) {
      gradient[row + i] = (gradient[row + i] ?? 0) + by * (from[begin + i] ?? 0);
      fromPull[begin + i] = (fromPull[begin + i] ?? 0) + by * (layers[row + i] ?? 0);
    }
  }
}

/** Keeps what the way back needs of the way there. */
export class NetPass {
  /** The tokens' numbers, to be written before `forward`, and their gradient after `backward`: from `netWidth` on. */
  readonly tokens = netBuffer();
  readonly tokenPull = netBuffer();
  readonly #layers: Float64Array;
  readonly #gradient: Float64Array;
  readonly #dropped: number;
  readonly #read = netBuffer();
  readonly #readMask = netBuffer();
  readonly #first = netBuffer();
  readonly #firstRead = netBuffer();
  readonly #firstMask = netBuffer();
  readonly #second = netBuffer();
  readonly #pooled = new Float64Array(netPooled);
  readonly #pooledMask = new Float64Array(netPooled);
  /** The tokens that the maxima of both layers come from. */
  readonly #firstLargest = new Int32Array(netWidth);
  readonly #secondLargest = new Int32Array(netWidth);
  readonly #firstPull = netBuffer();
  readonly #readPull = netBuffer();
  readonly #secondPull = netBuffer();

  /** `backward` adds to `gradient`. `dropped` is the share left out of what each layer reads. */
  constructor(layers: Float64Array, gradient: Float64Array, dropped: number) {
    this.#layers = layers;
    this.#gradient = gradient;
    this.#dropped = dropped;
  }

  /** The logit; without `random` nothing is left out. */
  forward(length: number, random: Random | undefined): number {
    const layers = this.#layers;
    const end = (length + 1) * netWidth;
    drawMask(this.#readMask, end, this.#dropped, random);
    multiplyBy(this.tokens, this.#readMask, this.#read, end);
    this.#read.fill(0, end, end + netWidth);
    for (let t = 0; t < length; t++) convolve(layers, netLayout.first, this.#read, this.#first, t);
    drawMask(this.#firstMask, end, this.#dropped, random);
    multiplyBy(this.#first, this.#firstMask, this.#firstRead, end);
    this.#firstRead.fill(0, end, end + netWidth);
    for (let t = 0; t < length; t++) convolve(layers, netLayout.second, this.#firstRead, this.#second, t);
    this.#pool(length);
    drawMask(this.#pooledMask, netPooled, this.#dropped, random);
    multiplyBy(this.#pooled, this.#pooledMask, this.#pooled, netPooled);
    let logit = layers[netLayout.outputBias] ?? 0;
    for (let i = 0; i < netPooled; i++) logit += (layers[netLayout.output + i] ?? 0) * (this.#pooled[i] ?? 0);
    return logit;
  }

  #pool(length: number): void {
    const pooled = this.#pooled.fill(0);
    this.#firstLargest.fill(0);
    this.#secondLargest.fill(0);
    for (let t = 0; t < length; t++)
      for (let o = 0; o < netWidth; o++) {
        const at = (t + 1) * netWidth + o;
        const [first, second] = [this.#first[at] ?? 0, this.#second[at] ?? 0];
        pooled[o] = (pooled[o] ?? 0) + second / length;
        if (t === 0) pooled[2 * netWidth + o] = second;
        if (second > (pooled[netWidth + o] ?? 0)) {
          pooled[netWidth + o] = second;
          this.#secondLargest[o] = t;
        }
        if (first > (pooled[3 * netWidth + o] ?? 0)) {
          pooled[3 * netWidth + o] = first;
          this.#firstLargest[o] = t;
        }
      }
  }

  /** From the gradient of the logit that `forward` gave for as long a text. */
  backward(length: number, pull: number): void {
    const end = (length + 2) * netWidth;
    for (const each of [this.#firstPull, this.#readPull, this.#secondPull, this.tokenPull])
      each.fill(0, 0, end);
    this.#pullOutput(pull);
    this.#pullPooled(length, pull);
    const [layers, gradient, firstPull] = [this.#layers, this.#gradient, this.#firstPull];
    const toSecond = { layers, gradient, weights: netLayout.second };
    for (let t = 0; t < length; t++)
      convolveBack(toSecond, this.#firstRead, this.#readPull, this.#secondPull, t);
    multiplyBy(this.#readPull, this.#firstMask, this.#readPull, end);
    for (let i = 0; i < end; i++)
      firstPull[i] = this.#first[i] === 0 ? 0 : (firstPull[i] ?? 0) + (this.#readPull[i] ?? 0);
    const toFirst = { layers, gradient, weights: netLayout.first };
    for (let t = 0; t < length; t++) convolveBack(toFirst, this.#read, this.tokenPull, firstPull, t);
    multiplyBy(this.tokenPull, this.#readMask, this.tokenPull, end);
  }

  #pullOutput(pull: number): void {
    const { output, outputBias } = netLayout;
    const gradient = this.#gradient;
    gradient[outputBias] = (gradient[outputBias] ?? 0) + pull;
    for (let i = 0; i < netPooled; i++)
      gradient[output + i] = (gradient[output + i] ?? 0) + pull * (this.#pooled[i] ?? 0);
  }

  /** From the output to the second layer, and to the maximum of the first. */
  #pullPooled(length: number, pull: number): void {
    const [layers, mask, secondPull] = [this.#layers, this.#pooledMask, this.#secondPull];
    const of = (i: number) => pull * (layers[netLayout.output + i] ?? 0) * (mask[i] ?? 0);
    for (let o = 0; o < netWidth; o++) {
      const mean = of(o) / length;
      for (let t = 1; t <= length; t++) secondPull[t * netWidth + o] = mean;
      const largest = ((this.#secondLargest[o] ?? 0) + 1) * netWidth + o;
      secondPull[largest] = (secondPull[largest] ?? 0) + of(netWidth + o);
      secondPull[netWidth + o] = (secondPull[netWidth + o] ?? 0) + of(2 * netWidth + o);
      this.#firstPull[((this.#firstLargest[o] ?? 0) + 1) * netWidth + o] = of(3 * netWidth + o);
    }
    for (let i = netWidth; i < (length + 1) * netWidth; i++)
      if ((this.#second[i] ?? 0) === 0) secondPull[i] = 0;
  }
}
