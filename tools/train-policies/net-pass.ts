/** One text through the stance net of `stance-net.ts` and back: the gradient of its logit by back-propagation. */
import type { Random } from '../../src/base/random.ts';
import { Convolution, type Place, type Room } from '../../src/engine/text/convolution.ts';
import {
  mostNetTokens,
  netLayout,
  netPooled,
  netReach,
  netWidth,
  netWindow,
} from '../../src/engine/text/stance-net.ts';

/** A layer's numbers, with empty tokens before the first and behind the last. */
const netNumbers = (mostNetTokens + 2 * netReach) * netWidth;
/** Where the first token of such a layer begins. */
export const firstToken = netReach * netWidth;
const windowTokens = 2 * netReach + 1;

/** Factors of numbers, some of which are left out at random (dropout, Srivastava et al. 2014). */
function drawMask(mask: Float64Array, count: number, dropped: number, random: Random | undefined): void {
  if (random === undefined) mask.fill(1, 0, count);
  else for (let i = 0; i < count; i++) mask[i] = random.next() < dropped ? 0 : 1 / (1 - dropped);
}

type Numbers = Room['numbers'];

/** A layer of the net: its weights, the same turned for the way back, and their gradient. */
class Layer {
  readonly weights: Room;
  readonly biases: Room;
  readonly turned: Room;
  readonly gradient: Room;
  readonly biasGradient = new Float64Array(netWidth);
  readonly #at: number;

  constructor(convolution: Convolution, at: number) {
    this.#at = at;
    this.weights = convolution.room(netWindow * netWidth);
    this.biases = convolution.room(netWidth);
    this.turned = convolution.room(netWindow * netWidth);
    this.gradient = convolution.room(netWindow * netWidth);
  }

  /** Takes the weights from `layers`. */
  read(layers: Float64Array): void {
    const { weights, biases, turned, gradient } = this;
    const end = this.#at + netWindow * netWidth;
    weights.numbers.set(layers.subarray(this.#at, end));
    biases.numbers.set(layers.subarray(end, end + netWidth));
    gradient.numbers.fill(0);
    this.biasGradient.fill(0);
    // What a token gives to the second one behind it comes back from there.
    for (let place = 0; place < windowTokens; place++)
      for (let i = 0; i < netWidth; i++) {
        const from = (place * netWidth + i) * netWidth;
        const to = (windowTokens - 1 - place) * netWidth * netWidth + i;
        for (let o = 0; o < netWidth; o++) turned.numbers[to + o * netWidth] = weights.numbers[from + o] ?? 0;
      }
  }

  addPull(pull: Numbers, length: number): void {
    for (let at = firstToken; at < firstToken + length * netWidth; at += netWidth)
      for (let o = 0; o < netWidth; o++)
        this.biasGradient[o] = (this.biasGradient[o] ?? 0) + (pull[at + o] ?? 0);
  }

  writeGradient(gradient: Float64Array): void {
    gradient.set(this.gradient.numbers, this.#at);
    gradient.set(this.biasGradient, this.#at + netWindow * netWidth);
  }
}

/** Keeps what the way back needs of the way there. */
export class NetPass {
  /** The tokens' numbers, to be written before `forward`, and their gradient after `backward`: from `firstToken` on. */
  readonly tokens = new Float64Array(netNumbers);
  readonly tokenPull: Numbers;
  readonly #layers: Float64Array;
  readonly #gradient: Float64Array;
  readonly #dropped: number;
  readonly #convolution = new Convolution(
    { width: netWidth, window: windowTokens, precision: 'f64' },
    6 * (netWindow + 1) * netWidth + 8 * netNumbers,
  );
  readonly #firstLayer = new Layer(this.#convolution, netLayout.first);
  readonly #secondLayer = new Layer(this.#convolution, netLayout.second);
  readonly #noBiases = this.#convolution.room(netWidth);
  readonly #read = this.#convolution.room(netNumbers);
  readonly #readMask = new Float64Array(netNumbers);
  readonly #first = this.#convolution.room(netNumbers);
  readonly #firstRead = this.#convolution.room(netNumbers);
  readonly #firstMask = new Float64Array(netNumbers);
  readonly #second = this.#convolution.room(netNumbers);
  readonly #pooled = new Float64Array(netPooled);
  readonly #pooledMask = new Float64Array(netPooled);
  /** The tokens that the maxima of both layers come from. */
  readonly #firstLargest = new Int32Array(netWidth);
  readonly #secondLargest = new Int32Array(netWidth);
  readonly #firstPull = this.#convolution.room(netNumbers);
  readonly #readPull = this.#convolution.room(netNumbers);
  readonly #secondPull = this.#convolution.room(netNumbers);

  /** `dropped` is the share left out of what each layer reads. */
  constructor(layers: Float64Array, gradient: Float64Array, dropped: number) {
    this.#layers = layers;
    this.#gradient = gradient;
    this.#dropped = dropped;
    this.tokenPull = this.#convolution.room(netNumbers).numbers;
  }

  /** Takes the weights as they are now, with no gradient: before the first text of a batch. */
  begin(): void {
    this.#firstLayer.read(this.#layers);
    this.#secondLayer.read(this.#layers);
    this.#gradient.fill(0);
  }

  /** Writes what `backward` gathered since `begin`. */
  end(): void {
    this.#firstLayer.writeGradient(this.#gradient);
    this.#secondLayer.writeGradient(this.#gradient);
  }

  /** The logit; without `random` nothing is left out. */
  forward(length: number, random: Random | undefined): number {
    const layers = this.#layers;
    this.#layer(
      this.#firstLayer,
      { from: this.tokens, mask: this.#readMask, read: this.#read },
      this.#first,
      {
        length,
        random,
      },
    );
    const read = { from: this.#first.numbers, mask: this.#firstMask, read: this.#firstRead };
    this.#layer(this.#secondLayer, read, this.#second, { length, random });
    this.#pool(length);
    drawMask(this.#pooledMask, netPooled, this.#dropped, random);
    for (let i = 0; i < netPooled; i++) this.#pooled[i] = (this.#pooled[i] ?? 0) * (this.#pooledMask[i] ?? 0);
    let logit = layers[netLayout.outputBias] ?? 0;
    for (let i = 0; i < netPooled; i++) logit += (layers[netLayout.output + i] ?? 0) * (this.#pooled[i] ?? 0);
    return logit;
  }

  #layer(
    by: Layer,
    { from, mask, read }: { from: Numbers; mask: Float64Array; read: Room },
    to: Room,
    { length, random }: { length: number; random: Random | undefined },
  ): void {
    const end = firstToken + length * netWidth;
    drawMask(mask.subarray(firstToken), length * netWidth, this.#dropped, random);
    for (let i = firstToken; i < end; i++) read.numbers[i] = (from[i] ?? 0) * (mask[i] ?? 0);
    clearFrom(read, end);
    this.#convolution.convolve(by, read, firstOf(to), length, 0);
  }

  #pool(length: number): void {
    const pooled = this.#pooled.fill(0);
    const [firsts, seconds] = [this.#first.numbers, this.#second.numbers];
    this.#firstLargest.fill(0);
    this.#secondLargest.fill(0);
    for (let t = 0; t < length; t++)
      for (let o = 0; o < netWidth; o++) {
        const at = firstToken + t * netWidth + o;
        const [first, second] = [firsts[at] ?? 0, seconds[at] ?? 0];
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

  /** From the gradient of the logit that `forward` gave for as long a text; adds to what `end` writes. */
  backward(length: number, pull: number): void {
    const end = firstToken + length * netWidth;
    const [first, firstPull, readPull] = [this.#first.numbers, this.#firstPull, this.#readPull];
    for (const each of [firstPull, this.#secondPull]) clearFrom(each, firstToken, end);
    this.#pullOutput(pull);
    this.#pullPooled(length, pull);
    this.#back(this.#secondLayer, this.#firstRead, this.#secondPull, { to: readPull, length });
    for (let i = firstToken; i < end; i++) {
      const through = (readPull.numbers[i] ?? 0) * (this.#firstMask[i] ?? 0);
      firstPull.numbers[i] = first[i] === 0 ? 0 : (firstPull.numbers[i] ?? 0) + through;
    }
    this.#back(this.#firstLayer, this.#read, firstPull, { to: readPull, length });
    for (let i = firstToken; i < end; i++)
      this.tokenPull[i] = (readPull.numbers[i] ?? 0) * (this.#readMask[i] ?? 0);
  }

  /** Back through a layer: the gradient of its weights, and of what it read. */
  #back(by: Layer, read: Room, pull: Room, { to, length }: { to: Room; length: number }): void {
    clearFrom(pull, firstToken + length * netWidth);
    by.addPull(pull.numbers, length);
    this.#convolution.gather(by.gradient, read, firstOf(pull), length);
    const turned = { weights: by.turned, biases: this.#noBiases };
    this.#convolution.convolve(turned, pull, firstOf(to), length, -Infinity);
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
    const [layers, mask] = [this.#layers, this.#pooledMask];
    const [firstPull, secondPull] = [this.#firstPull.numbers, this.#secondPull.numbers];
    const of = (i: number) => pull * (layers[netLayout.output + i] ?? 0) * (mask[i] ?? 0);
    const end = firstToken + length * netWidth;
    for (let o = 0; o < netWidth && length > 0; o++) {
      const mean = of(o) / length;
      for (let at = firstToken + o; at < end; at += netWidth) secondPull[at] = mean;
      const largest = firstToken + (this.#secondLargest[o] ?? 0) * netWidth + o;
      secondPull[largest] = (secondPull[largest] ?? 0) + of(netWidth + o);
      secondPull[firstToken + o] = (secondPull[firstToken + o] ?? 0) + of(2 * netWidth + o);
      firstPull[firstToken + (this.#firstLargest[o] ?? 0) * netWidth + o] = of(3 * netWidth + o);
    }
    for (let at = firstToken; at < end; at++) if ((this.#second.numbers[at] ?? 0) === 0) secondPull[at] = 0;
  }
}

/** Where the first token of a layer is written. */
const firstOf = ({ at }: Place): Place => ({ at: at + firstToken * Float64Array.BYTES_PER_ELEMENT });

/** Nothing is left of another text from there on, as far as a window reaches. */
function clearFrom({ numbers }: Room, from: number, end = from): void {
  numbers.fill(0, from, end + netReach * netWidth);
}
