import { strongestPassage } from '../../tool-outputs/reader-orders.ts';
import { type Call, readCall } from '../calls/call.ts';
import { outputText } from '../calls/leaves.ts';
import { markOf } from '../instructions/follow.ts';
import { perOrder, traits } from '../instructions/instruction-map.ts';
import { type Acts, meets } from '../instructions/instruction-words.ts';
import { withProposal } from './agreed.ts';
import type { Orders } from '../instructions/instructions.ts';
import { proseOf, spokenIn } from '../instructions/prose.ts';
import { mostRead } from '../instructions/units.ts';
import type { TraceStep } from '../types.ts';

/** How clearly an answer speaks to whoever reads it, and where. */
export interface Speech {
  /** Log-odds that it is an order; infinite where the answer is too long to be judged. */
  readonly logit: number;
  readonly sentence: string;
}

const longestJudged = 20_000;
const silent: Speech = { logit: -Infinity, sentence: '' };
const unjudged: Speech = { logit: Infinity, sentence: '' };

/** The answer of an earlier tool. */
export interface Output {
  readonly call: Call;
  readonly text: string;
  readonly lower: string;
  /** How many calls there were when it was read, its own the last of them. */
  readonly after: number;
  readonly orders: Orders;
  /** Its texts, each on lines of their own: of JSON the values. */
  readonly prose: string;
  readonly speech: Speech;
  /** False where a text with these {@link gramsOf} surely does not stand in it, in whatever case. */
  mayHold(grams: readonly number[]): boolean;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

class ReadOutput implements Output {
  readonly call: Call;
  readonly text: string;
  readonly after: number;
  readonly #ordersIn: OrdersIn;
  #lower: string | undefined;
  #prose: string | undefined;
  #orders: Orders | undefined;
  #speech: Speech | undefined;
  #isAscii: boolean | undefined;

  constructor(call: Call, text: string, after: number, ordersIn: OrdersIn) {
    this.call = call;
    this.text = text;
    this.after = after;
    this.#ordersIn = ordersIn;
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  get orders(): Orders {
    return (this.#orders ??= this.#ordersIn(this.prose));
  }

  get prose(): string {
    return (this.#prose ??= proseOf(this.call.step.toolOutput, this.text));
  }

  get speech(): Speech {
    return (this.#speech ??=
      this.text.length > longestJudged
        ? unjudged
        : (strongestPassage(spokenIn(this.prose, this.text)) ?? silent));
  }

  /** Where its orders were looked through before, the signature that was made then tells. */
  mayHold(grams: readonly number[]): boolean {
    const map = this.#orders?.map;
    if (map === undefined || map.text !== this.text || this.text.length > mostRead) return true;
    // Beyond ASCII there are letters that are others in lower case than the signature takes them for.
    if (!map.signature.isMade || !(this.#isAscii ??= ascii.test(this.text))) return true;
    return map.signature.mayHold(grams);
  }

  /** The same answer, read to this length. */
  cut(length: number): Output {
    return new ReadOutput(this.call, this.text.slice(0, length), this.after, this.#ordersIn);
  }
}

type OrdersIn = (text: string) => Orders;

/** Where to look for what a call might follow. */
export interface Sought {
  /** Acts that come near to the call. */
  near: Acts;
  /** In lower case. */
  toolName: string;
}

/** What the orders in an output tell to do; `anything`: one of them is in a language that is not ours to read. */
interface Told extends Acts {
  anything: boolean;
}

function toldBy({ map: { packed, firstOrder, orders } }: Orders): Told {
  const told = { low: 0, high: 0, anything: false };
  for (let at = firstOrder; at < firstOrder + perOrder * orders; at += perOrder) {
    told.low |= packed[at + 1] ?? 0;
    told.high |= packed[at + 2] ?? 0;
    told.anything ||= ((packed[at + 4] ?? 0) & traits.foreign) !== 0;
  }
  return told;
}

const outputBudget = 400_000;
const shortestOutput = 4;
const keptNames = 50;

/**
 * What was read of the steps before the judged one. A session brings the same steps again with each action and a few
 * more: those are read, and nothing goes through the others again but who asks for something in all of them.
 */
export class EarlierSteps {
  /** Tool calls, oldest first. */
  readonly calls: Call[] = [];
  /** What the user said, oldest first. */
  readonly turns: string[] = [];
  /** The same, with what they agreed to. */
  readonly asked: string[] = [];
  /** Tool calls that have an answer. */
  answered = 0;
  readonly #steps: TraceStep[] = [];
  /** Oldest first. */
  readonly #outputs: ReadOutput[] = [];
  readonly #ordersIn: OrdersIn;
  #characters = 0;
  #timesUsed = 0;
  /** Acts that the orders of each output tell, as far as was looked. */
  readonly #told: Told[] = [];
  /** The same of those that name a tool, and how many of them were looked at. */
  readonly #naming = new Map<string, { places: number[]; seen: number }>();

  constructor(ordersIn: OrdersIn) {
    this.#ordersIn = ordersIn;
  }

  /** Takes over the first `count` steps of a trace: what is the same as before stays read. */
  become(steps: readonly TraceStep[], count: number): void {
    const most = Math.min(this.#steps.length, count);
    let same = 0;
    while (same < most && this.#steps[same] === steps[same]) same += 1;
    while (this.#steps.length > same) this.#dropLast();
    for (const step of steps.slice(same, count)) this.#add(step);
    this.#timesUsed += 1;
  }

  /** The latest first within a budget of characters, so that a long session stays cheap. */
  outputs(): readonly Output[] {
    const latest = this.#outputs.toReversed();
    return this.#characters <= outputBudget ? latest : withinBudget(latest);
  }

  /** Of `outputs()` at least those with an order that the call might follow, in the same order. */
  mayBeFollowed(sought: Sought): readonly Output[] {
    // Looking up pays from the second time on.
    if (this.#timesUsed < 2 || this.#characters > outputBudget) return this.outputs();
    this.#look();
    const places = new Set(this.#placesNaming(sought.toolName));
    this.#told.forEach((told, place) => {
      if (told.anything || meets(told.low, told.high, sought.near)) places.add(place);
    });
    return [...places].sort((a, b) => b - a).flatMap((place) => this.#outputs[place] ?? []);
  }

  #add(step: TraceStep): void {
    this.#steps.push(step);
    if (step.role === 'user') {
      if (typeof step.content === 'string') {
        this.turns.push(step.content);
        this.asked.push(withProposal(step.content, this.#steps.at(-2)));
      }
      return;
    }
    if ((step.toolName ?? '') === '') return;
    const call = readCall(step);
    this.calls.push(call);
    const text = outputText(step.toolOutput);
    if (text !== '') this.answered += 1;
    if (text.length < shortestOutput) return;
    this.#outputs.push(new ReadOutput(call, text, this.calls.length, this.#ordersIn));
    this.#characters += text.length;
  }

  #dropLast(): void {
    const step = this.#steps.pop();
    if (step === undefined) return;
    if (step.role === 'user') {
      if (typeof step.content === 'string') {
        this.turns.pop();
        this.asked.pop();
      }
      return;
    }
    if ((step.toolName ?? '') === '') return;
    this.calls.pop();
    if (outputText(step.toolOutput) !== '') this.answered -= 1;
    if (this.#outputs.at(-1)?.call.step !== step) return;
    this.#characters -= this.#outputs.pop()?.text.length ?? 0;
    this.#unlook();
  }

  /** The last output is gone. */
  #unlook(): void {
    const { length } = this.#outputs;
    const forget = (places: number[]) => {
      if (places.at(-1) === length) places.pop();
    };
    if (this.#told.length > length) this.#told.pop();
    for (const known of this.#naming.values()) {
      forget(known.places);
      known.seen = Math.min(known.seen, length);
    }
  }

  #look(): void {
    for (const output of this.#outputs.slice(this.#told.length)) this.#told.push(toldBy(output.orders));
  }

  #placesNaming(toolName: string): readonly number[] {
    const known = this.#naming.get(toolName) ?? { places: [], seen: 0 };
    if (!this.#naming.has(toolName) && this.#naming.size >= keptNames) this.#naming.clear();
    this.#naming.set(toolName, known);
    const mark = markOf(toolName);
    for (; known.seen < this.#outputs.length; known.seen += 1) {
      const lower = this.#outputs[known.seen]?.lower ?? '';
      if (lower.includes(mark) && lower.includes(toolName)) known.places.push(known.seen);
    }
    return known.places;
  }
}

function withinBudget(latest: readonly ReadOutput[]): Output[] {
  const outputs: Output[] = [];
  let budget = outputBudget;
  for (const output of latest) {
    const length = Math.min(output.text.length, budget);
    if (budget <= 0) break;
    if (length < shortestOutput) continue;
    budget -= length;
    outputs.push(length === output.text.length ? output : output.cut(length));
  }
  return outputs;
}
