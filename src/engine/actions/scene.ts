import type { TextEngine } from '#engine/text/engine.ts';
import { type Call, readCall } from './call.ts';
import { type Follow, findFollowed } from './follow.ts';
import { placeOf } from './entities.ts';
import { outputText } from './leaves.ts';
import { type Order, ordersOf } from './orders.ts';
import { type Request, readRequest } from './request.ts';
import type { EvaluateOptions, TraceStep } from './types.ts';

/** The answer of an earlier tool. */
export interface Output {
  call: Call;
  text: string;
  lower: string;
}

/** What one evaluation sees; everything dear is worked out when first asked for. */
export interface Scene {
  call: Call;
  /** Tool calls before the judged one, oldest first. */
  earlier: readonly Call[];
  /** All steps up to and with the judged one. */
  steps: readonly TraceStep[];
  request: Request;
  now: Date;
  ownDomains: readonly string[];
  outputs(): readonly Output[];
  followed(): Follow | undefined;
}

const fullSteps = 400;
const fastSteps = 60;
const outputBudget = 400_000;

/** A small memory of what was worked out of a text; the same outputs come again with each step of a session. */
class Remembered<T> {
  readonly #known = new Map<string, T>();
  #size = 0;
  readonly #make: (text: string) => T;

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  get(text: string): T {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#make(text);
    if (text.length > 50_000) return made;
    this.#size += text.length;
    this.#known.set(text, made);
    for (const oldest of this.#known.keys()) {
      if (this.#size <= 4_000_000 && this.#known.size <= 5000) break;
      this.#known.delete(oldest);
      this.#size -= oldest.length;
    }
    return made;
  }
}

/** Reads traces; holds what it learnt of texts it met before. */
export class SceneReader {
  readonly #orders = new Remembered(ordersOf);
  readonly #injection: Remembered<number>;
  readonly #requests = new Remembered((joined: string) => readRequest(joined.split('\u0001')));

  constructor(text: TextEngine) {
    const policy = text.compile({
      name: 'prompt-injection',
      description: '',
      blockActivities: [],
      safeActivities: [],
      detector: 'prompt-injection',
    });
    this.#injection = new Remembered((sentence: string) => {
      const probability = text.score(text.analyse(sentence.slice(0, 1500)), policy).probability;
      return Math.log(Math.max(1e-6, probability) / Math.max(1e-6, 1 - probability));
    });
  }

  /** The last agent step is the one judged. Undefined where the trace has none. */
  read(steps: readonly TraceStep[], options: EvaluateOptions): Scene | undefined {
    const last = steps.findLastIndex((step) => step.role === 'agent');
    const step = steps[last];
    if (step === undefined) return undefined;
    const from = Math.max(0, last - (options.fastMode === true ? fastSteps : fullSteps));
    const seen = steps.slice(from, last + 1);
    const turns = steps
      .slice(0, last)
      .filter(({ role, content }) => role === 'user' && typeof content === 'string');
    const asked = options.fastMode === true ? turns.slice(-6) : turns.slice(-200);
    const request = this.#requests.get(asked.map(({ content }) => content ?? '').join('\u0001'));
    const earlier = seen
      .slice(0, -1)
      .map((other, at) => ({ other, at: from + at }))
      .filter(({ other }) => other.role === 'agent' && (other.toolName ?? '') !== '')
      .map(({ other, at }) => readCall(other, at));
    return this.#scene({ call: readCall(step, last), earlier, steps: seen, request }, options);
  }

  #scene(known: Pick<Scene, 'call' | 'earlier' | 'steps' | 'request'>, options: EvaluateOptions): Scene {
    let outputs: readonly Output[] | undefined;
    let follow: { found: Follow | undefined } | undefined;
    return {
      ...known,
      now: options.now ?? new Date(),
      ownDomains: options.ownDomains ?? [],
      outputs: () => (outputs ??= outputsOf(known.earlier)),
      followed: () =>
        (follow ??= {
          found: this.#follow(known.call, known.request, (outputs ??= outputsOf(known.earlier))),
        }).found,
    };
  }

  #follow(call: Call, request: Request, outputs: readonly Output[]): Follow | undefined {
    if (call.toolName === '') return undefined;
    let best: Follow | undefined;
    for (const output of outputs) {
      const { text } = output;
      const orders: readonly Order[] = this.#orders.get(text);
      if (orders.length === 0) continue;
      const found = findFollowed(call, {
        text,
        orders,
        request,
        delegated: request.delegation === 'open' && isDelegated(request, output.call),
        injectionLogit: (sentence) => this.#injection.get(sentence),
      });
      if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
    }
    return best;
  }
}

/** Where the user names the place that the tasks stand in, only that place may give them. */
function isDelegated(request: Request, call: Call): boolean {
  const places = request.entities.filter(({ kind }) => ['url', 'host', 'path'].includes(kind));
  if (places.length === 0) return true;
  return call.leaves.some(({ text }) => places.some(({ value }) => placeOf(text).includes(value)));
}

/** The latest outputs first within a budget of characters, so that a long session stays cheap. */
function outputsOf(earlier: readonly Call[]): Output[] {
  const outputs: Output[] = [];
  let budget = outputBudget;
  for (const call of earlier.toReversed()) {
    if (budget <= 0) break;
    const text = outputText(call.step.toolOutput).slice(0, budget);
    if (text.length < 4) continue;
    budget -= text.length;
    outputs.push({ call, text, lower: text.toLowerCase() });
  }
  return outputs;
}
