/** What an agent did through a gateway so far, for the action guard: bounded, oldest steps go first. */
import type { Clock } from '#base/clock.ts';
import type { Fields } from '#mcp/json-rpc.ts';

/** A call as the action guard takes it. */
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

/** What the client says that its user asked for. */
export interface TaskStep {
  readonly role: 'user';
  readonly step_id: number;
  readonly content: string;
}

export type TraceStep = CallStep | TaskStep;

export interface Begun {
  readonly steps: readonly TraceStep[];
  readonly calls: readonly TraceStep[];
  readonly step: CallStep;
}

export interface Trace {
  /** The client says what its user asked for; the same again says nothing new. */
  told(task: string): void;
  /** The one to judge, and all steps with it as the last; of `calls` none is the client's word. */
  begin(step: Omit<CallStep['metadata'], 'tool_output'>): Begun;
  /** The judged step happened. Its output is filled in when it is there. */
  keep(step: CallStep): void;
  ended(step: CallStep, output: string): void;
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
    : (step.metadata.tool_output?.length ?? 0) + JSON.stringify(step.metadata.tool_params).length;

function createTrace(): Trace {
  // Two lists side by side: what goes with each call is a copy of the first, which nobody has to go through.
  let steps: TraceStep[] = [];
  let sizes: number[] = [];
  let tasks: TaskStep[] = [];
  let characters = 0;
  let next = 1;

  /** A good part goes at once, so that the others do not move with each call. */
  const shorten = () => {
    if (steps.length <= maxSteps && characters <= maxCharacters) return;
    let from = 0;
    while (
      from < steps.length - 1 &&
      (steps.length - from > maxSteps * 0.75 || characters > maxCharacters * 0.75)
    ) {
      characters -= sizes[from] ?? 0;
      from += 1;
    }
    steps = steps.slice(from);
    sizes = sizes.slice(from);
    tasks = tasks.filter((task) => steps.includes(task));
  };
  const add = (step: TraceStep) => {
    const size = sizeOf(step);
    steps.push(step);
    sizes.push(size);
    characters += size;
    shorten();
  };
  return {
    told(said) {
      const content = said.slice(0, maxTaskCharacters);
      if (content.trim() === '' || tasks.at(-1)?.content === content) return;
      // However often the task changes, what was done under it stays in sight.
      const oldest = tasks.length >= maxTasks ? tasks.shift() : undefined;
      if (oldest !== undefined) {
        const at = steps.indexOf(oldest);
        steps.splice(at, 1);
        characters -= sizes.splice(at, 1)[0] ?? 0;
      }
      const task: TaskStep = { role: 'user', step_id: next, content };
      tasks.push(task);
      add(task);
      next += 1;
    },
    begin(metadata) {
      const step: CallStep = { role: 'agent', step_id: next, metadata: { ...metadata } };
      next += 1;
      const all = [...steps, step];
      return {
        steps: all,
        calls: tasks.length === 0 ? all : all.filter(({ role }) => role === 'agent'),
        step,
      };
    },
    keep: add,
    ended(step, output) {
      const at = steps.lastIndexOf(step);
      if (at < 0) return;
      // Steps never change: whoever judges them may keep what it has read of one.
      const metadata = { ...step.metadata, tool_output: output.slice(0, maxOutputCharacters) };
      const ended: CallStep = { ...step, metadata };
      const size = sizeOf(ended);
      steps[at] = ended;
      characters += size - (sizes[at] ?? 0);
      sizes[at] = size;
      shorten();
    },
  };
}

/** Traces by session; one that was not used for an hour is forgotten. */
export interface Traces {
  of(key: string): Trace;
  forget(key: string): void;
}

export function createTraces(clock: Clock): Traces {
  // In the order of their last use.
  const traces = new Map<string, { trace: Trace; atMs: number }>();
  const sweep = () => {
    for (const [key, { atMs }] of traces) {
      if (traces.size <= maxTraces && atMs > clock.now() - idleMs) break;
      traces.delete(key);
    }
  };
  return {
    of(key) {
      const trace = traces.get(key)?.trace ?? createTrace();
      traces.delete(key);
      traces.set(key, { trace, atMs: clock.now() });
      sweep();
      return trace;
    },
    forget: (key) => void traces.delete(key),
  };
}
