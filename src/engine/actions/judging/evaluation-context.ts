import type { TextEngine } from '#engine/text/engine.ts';
import { type Call, readCall } from '../calls/call.ts';
import { withProposal } from './agreed.ts';
import { EarlierSteps, type Output } from './earlier-steps.ts';
import { loadReaderOrders } from '../../tool-outputs/reader-orders.ts';
import {
  actsNear,
  type Candidate,
  type Follow,
  FollowSearch,
  type Source,
  surestOf,
} from '../instructions/follow.ts';
import { placeOf } from '../calls/entities.ts';
import { keptOn } from '../calls/kept-on.ts';
import type { Keeper } from '../calls/once.ts';
import { FollowProbe } from '../instructions/follow-probe.ts';
import { OrderScanner } from '../instructions/instruction-scanner.ts';
import type { OrderMap } from '../instructions/instruction-map.ts';
import { Orders } from '../instructions/instructions.ts';
import { Remembered } from '../instructions/remembered.ts';
import { type Request, readRequest } from './request.ts';
import { sharesSubject } from './subject.ts';
import { type EvaluateOptions, listingStep, type TraceStep } from '../types.ts';

/** What one evaluation sees; everything dear is worked out when first asked for. */
export interface EvaluationContext extends Keeper {
  call: Call;
  /** Tool calls before the judged one, oldest first; until the next evaluation. */
  earlier: readonly Call[];
  /** How many of them have an answer. */
  answered: number;
  /** What the user said last. */
  lastTurn: string | undefined;
  /** All steps up to and with the judged one. */
  steps: readonly TraceStep[];
  request: Request;
  now: Date;
  ownDomains: readonly string[];
  outputs(): readonly Output[];
  followed(): Follow | undefined;
  /** How likely a text is violent or hateful, between 0 and 1. */
  aggression(text: string): number;
}

const fullSteps = 400;
const fastSteps = 60;

/** Reads traces; holds what it learnt of texts it met before. */
export class ContextReader {
  readonly #scanner = new OrderScanner();
  readonly #probe = new FollowProbe();
  readonly #orders = new Remembered((text: string) => new Orders(text, this.#scanner.scan(text)), 2);
  readonly #injection: Remembered<number>;
  readonly #aggression: Remembered<number>;
  /** By their second step: the first may be one that all sessions of a gateway begin with. */
  readonly #sessions = keptOn<TraceStep, EarlierSteps | 'once'>();
  readonly #requests = new Remembered((joined: string) => readRequest(joined.split('\u0001')));

  constructor(text: TextEngine) {
    loadReaderOrders();
    const detector = 'prompt-injection';
    const policy = text.compile({
      name: detector,
      description: '',
      blockActivities: [],
      safeActivities: [],
      detector,
    });
    this.#aggression = new Remembered((sentence: string) =>
      Math.max(...text.probabilities(sentence, ['violence-abuse', 'hate-bias-discrimination'])),
    );
    this.#injection = new Remembered((sentence: string) => {
      const probability = text.score(text.analyse(sentence.slice(0, 1500)), policy).probability;
      return Math.log(Math.max(1e-6, probability) / Math.max(1e-6, 1 - probability));
    });
  }

  /** The last agent step is the one judged. Undefined where the trace has none. */
  read(steps: readonly TraceStep[], options: EvaluateOptions): EvaluationContext | undefined {
    const last = steps.findLastIndex((step) => step.role === 'agent');
    const step = steps[last];
    if (step === undefined) return undefined;
    const from = Math.max(0, last - (options.fastMode === true ? fastSteps : fullSteps));
    const seen = from === 0 && last === steps.length - 1 ? steps : steps.slice(from, last + 1);
    const earlier = this.#earlier(steps, from, last);
    const turns = from === 0 ? earlier.asked : askedIn(steps.slice(0, last));
    const asked = options.fastMode === true ? turns.slice(-6) : turns.slice(-200);
    const request = this.#requests.get(asked.join('\u0001'));
    return this.#context({ call: readCall(step), steps: seen, request }, earlier, options);
  }

  /** All sentences in earlier answers that the last call of a trace may have obeyed: what the model of them is trained on. */
  candidates(steps: readonly TraceStep[]): Candidate[] {
    const context = this.read(steps, {});
    if (context === undefined || context.call.toolName === '') return [];
    const { call, request } = context;
    return this.#candidates(call, request, this.#earlier(steps, 0, steps.indexOf(call.step)));
  }

  /** The steps from `from` to the judged one; in a session with what was read of them before. */
  #earlier(steps: readonly TraceStep[], from: number, last: number): EarlierSteps {
    const key = from === 0 && last > 1 ? steps[1] : undefined;
    const met = key && this.#sessions.get(key);
    const isKept = met !== undefined && met !== 'once';
    const earlier = isKept ? met : new EarlierSteps((text) => this.#orders.get(text));
    // What comes once only is not kept: it would live as long as its steps do.
    if (key !== undefined && !isKept) this.#sessions.set(key, met === undefined ? 'once' : earlier);
    earlier.become(from === 0 ? steps : steps.slice(from), last - from);
    return earlier;
  }

  #context(
    known: Pick<EvaluationContext, 'call' | 'steps' | 'request'>,
    earlier: EarlierSteps,
    options: EvaluateOptions,
  ): EvaluationContext {
    let outputs: readonly Output[] | undefined;
    let follow: { found: Follow | undefined } | undefined;
    return {
      ...known,
      kept: new Map(),
      earlier: earlier.calls,
      answered: earlier.answered,
      lastTurn: earlier.turns.at(-1),
      now: options.now ?? new Date(),
      ownDomains: options.ownDomains ?? [],
      outputs: () => (outputs ??= earlier.outputs()),
      aggression: (text) => this.#aggression.get(text),
      followed: () => (follow ??= { found: this.#follow(known.call, known.request, earlier) }).found,
    };
  }

  #follow(call: Call, request: Request, earlier: EarlierSteps): Follow | undefined {
    return call.toolName === '' ? undefined : surestOf(this.#candidates(call, request, earlier));
  }

  #candidates(call: Call, request: Request, earlier: EarlierSteps): Candidate[] {
    const search = new FollowSearch(call, request, this.#probe);
    const sought = { near: actsNear(call, request), toolName: call.toolName.toLowerCase() };
    for (const output of earlier.mayBeFollowed(sought)) {
      const { orders } = output;
      if (orders.map.orders > 0)
        search.lookIn(new OutputSource(output, orders, request, earlier.calls, this.#injection));
    }
    return search.candidates;
  }
}

/** A class, since a call is held against hundreds of answers: functions of its own for each would be most of the work. */
class OutputSource implements Source {
  readonly orders: Orders;
  readonly request: Request;
  readonly #output: Output;
  readonly #calls: readonly Call[];
  readonly #injection: Remembered<number>;

  constructor(
    output: Output,
    orders: Orders,
    request: Request,
    calls: readonly Call[],
    injection: Remembered<number>,
  ) {
    this.orders = orders;
    this.request = request;
    this.#output = output;
    this.#calls = calls;
    this.#injection = injection;
  }

  get text(): string {
    return this.#output.text;
  }

  get givenLower(): string {
    return this.#output.lower;
  }

  get map(): OrderMap {
    return this.orders.map;
  }

  /** Mostly the answer is read as it was given. */
  get lower(): string {
    return this.map.text === this.#output.text ? this.#output.lower : this.orders.lower;
  }

  get isListing(): boolean {
    return this.#output.call.toolName === listingStep;
  }

  get delegated(): boolean {
    return this.request.delegation === 'open' && isDelegated(this.request, this.#output.call);
  }

  isOlder(value: string): boolean {
    return isUsed(value, this.#calls, this.#output.after);
  }

  injectionLogit(sentence: string): number {
    return this.#injection.get(sentence);
  }
}

const askedIn = (steps: readonly TraceStep[]): string[] =>
  steps.flatMap(({ role, content }, at) =>
    role === 'user' && typeof content === 'string' ? [withProposal(content, steps[at - 1])] : [],
  );

/** Whether one of the first `count` calls has the value among its arguments. */
function isUsed(value: string, calls: readonly Call[], count: number): boolean {
  for (let at = 0; at < count; at++)
    if (calls[at]?.leaves.some(({ text }) => hasValue(text.toLowerCase(), value)) === true) return true;
  return false;
}

const hasValue = (lower: string, value: string) =>
  lower === value || (value.length >= 4 && lower.includes(value));

/** Only the place that the user speaks of may give tasks: what was read by a name, or by a word, of the request. */
function isDelegated(request: Request, call: Call): boolean {
  if (!call.effects.has('read')) return false;
  const places = request.entities.filter(({ kind }) => ['url', 'host', 'path'].includes(kind));
  if (places.length > 0)
    return call.leaves.some(({ text }) => places.some(({ value }) => placeOf(text).includes(value)));
  return sharesSubject(call, request);
}
