/** Traces of sessions for the action guard: bounded, the oldest steps are dropped first. */
import type { Clock } from '#base/clock.ts';
import type { Fields } from '#mcp/json-rpc.ts';

/** A call as the action guard expects it. */
export interface CallStep {
  readonly role: 'agent';
  readonly step_id: number;
  readonly metadata: {
    readonly tool_name: string;
    readonly tool_params: Fields;
    readonly tool_description: string;
    readonly server_name: string;
    readonly server_id: string;
    readonly tool_output?: string;
  };
}

/** The user's task as stated by the client. */
export interface TaskStep {
  readonly role: 'user';
  readonly step_id: number;
  readonly content: string;
}

export type TraceStep = CallStep | TaskStep;

export interface Begun {
  /** With everything that the client has stated. */
  readonly steps: readonly TraceStep[];
  /** With the tasks alone that are taken for the user's word; the same array where there are no others. */
  readonly calls: readonly TraceStep[];
  readonly step: CallStep;
}

const maxSteps = 200;
const maxCharacters = 1_000_000;
const maxOutputCharacters = 100_000;
const maxTasks = 20;
const maxTaskCharacters = 4000;
const maxTraces = 10_000;
const idleMs = 60 * 60_000;

const sizeOf = (step: TraceStep): number =>
  step.role === 'user'
    ? step.content.length
    : outputSize(step) + JSON.stringify(step.metadata.tool_params).length;

const outputSize = ({ metadata }: CallStep): number => metadata.tool_output?.length ?? 0;

export class Trace {
  #steps: TraceStep[] = [];
  #sizes: number[] = [];
  #tasks: TaskStep[] = [];
  /**
   * Tasks that were stated before the agent had read anything: no tool's answer can have dictated them, so they are taken
   * for the user's word. Later ones can only make the guard stricter.
   */
  readonly #believed = new Set<TraceStep>();
  #hasRead = false;
  #characters = 0;
  #next = 1;

  /** Adds the user's task as stated by the client; a repeated task is ignored. */
  told(said: string): void {
    const content = said.slice(0, maxTaskCharacters);
    if (content.trim() === '' || this.#tasks.at(-1)?.content === content) return;
    // Steps of the current and earlier tasks are kept regardless of how often the task changes.
    const oldest = this.#tasks.length >= maxTasks ? this.#tasks.shift() : undefined;
    if (oldest !== undefined) {
      this.#believed.delete(oldest);
      const at = this.#steps.indexOf(oldest);
      this.#steps.splice(at, 1);
      this.#characters -= this.#sizes.splice(at, 1)[0] ?? 0;
    }
    const task: TaskStep = { role: 'user', step_id: this.#next, content };
    this.#tasks.push(task);
    if (!this.#hasRead) this.#believed.add(task);
    this.keep(task);
    this.#next += 1;
  }

  /**
   * Traces that end with the call to be judged.
   * @param before steps that both begin with
   */
  begin(metadata: Omit<CallStep['metadata'], 'tool_output'>, before: readonly CallStep[] = []): Begun {
    const step: CallStep = { role: 'agent', step_id: this.#next, metadata };
    this.#next += 1;
    const all = (before as readonly TraceStep[]).concat(this.#steps, step);
    return {
      steps: all,
      calls:
        this.#tasks.length === this.#believed.size
          ? all
          : all.filter((each) => each.role === 'agent' || this.#believed.has(each)),
      step,
    };
  }

  /** Adds a step; a judged call once it was executed. Its output is added later. */
  keep(step: TraceStep): void {
    const size = sizeOf(step);
    this.#steps.push(step);
    this.#sizes.push(size);
    this.#characters += size;
    this.#shorten();
  }

  ended(step: CallStep, output: string): void {
    const at = this.#steps.lastIndexOf(step);
    if (output !== '') this.#hasRead = true;
    if (at < 0) return;
    // Steps are immutable, so evaluation results of a step can be cached.
    const metadata = { ...step.metadata, tool_output: output.slice(0, maxOutputCharacters) };
    const ended: CallStep = { ...step, metadata };
    const more = outputSize(ended) - outputSize(step);
    this.#steps[at] = ended;
    this.#characters += more;
    this.#sizes[at] = (this.#sizes[at] ?? 0) + more;
    this.#shorten();
  }

  /** Many steps are dropped at once, so that not every call moves the array. */
  #shorten(): void {
    const steps = this.#steps;
    if (steps.length <= maxSteps && this.#characters <= maxCharacters) return;
    let from = 0;
    while (
      from < steps.length - 1 &&
      (steps.length - from > maxSteps * 0.75 || this.#characters > maxCharacters * 0.75)
    ) {
      this.#characters -= this.#sizes[from] ?? 0;
      from += 1;
    }
    // What the user asked for stands as long as the session: without it the rest of the work would be judged unasked.
    const kept = steps.flatMap((step, at) => (at >= from || this.#believed.has(step) ? [at] : []));
    this.#characters += kept.filter((at) => at < from).reduce((sum, at) => sum + (this.#sizes[at] ?? 0), 0);
    this.#sizes = kept.map((at) => this.#sizes[at] ?? 0);
    this.#steps = kept.flatMap((at) => steps[at] ?? []);
    this.#tasks = this.#tasks.filter((task) => this.#steps.includes(task));
  }
}

/** Traces by session; unused traces are dropped after an hour. */
export interface Traces {
  of(key: string): Trace;
  forget(key: string): void;
}

export function createTraces(clock: Clock): Traces {
  // In order of last use.
  const traces = new Map<string, { trace: Trace; atMs: number }>();
  const sweep = () => {
    for (const [key, { atMs }] of traces) {
      if (traces.size <= maxTraces && atMs > clock.now() - idleMs) break;
      traces.delete(key);
    }
  };
  return {
    of(key) {
      const trace = traces.get(key)?.trace ?? new Trace();
      traces.delete(key);
      traces.set(key, { trace, atMs: clock.now() });
      sweep();
      return trace;
    },
    forget: (key) => void traces.delete(key),
  };
}
