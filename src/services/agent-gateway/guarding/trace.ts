/** What an agent did through a gateway so far, for the action guard: bounded, oldest steps go first. */
import type { Clock } from '#base/clock.ts';
import type { Fields } from '#mcp/json-rpc.ts';

/** A step as the action guard takes it. */
export interface TraceStep {
  readonly role: 'agent';
  readonly step_id: number;
  readonly metadata: {
    readonly tool_name: string;
    readonly tool_params: Fields;
    readonly tool_description: string;
    readonly server_name: string;
    readonly server_id: string;
    tool_output?: string;
  };
}

export interface Trace {
  /** The steps before, and the one to judge. */
  begin(step: Omit<TraceStep['metadata'], 'tool_output'>): { steps: readonly TraceStep[]; step: TraceStep };
  /** The judged step happened. Its output is filled in when it is there. */
  keep(step: TraceStep): void;
  ended(step: TraceStep, output: string): void;
}

const maxSteps = 200;
const maxCharacters = 1_000_000;
const maxOutputCharacters = 100_000;
const maxTraces = 10_000;
const idleMs = 60 * 60_000;

const sizeOf = ({ metadata }: TraceStep): number =>
  (metadata.tool_output?.length ?? 0) + JSON.stringify(metadata.tool_params).length;

function createTrace(): Trace {
  let steps: { step: TraceStep; size: number }[] = [];
  let next = 1;
  const shorten = () => {
    let total = steps.reduce((sum, { size }) => sum + size, 0);
    while (steps.length > maxSteps || (total > maxCharacters && steps.length > 1))
      total -= steps.shift()?.size ?? 0;
  };
  return {
    begin(metadata) {
      const step: TraceStep = { role: 'agent', step_id: next, metadata: { ...metadata } };
      next += 1;
      return { steps: [...steps.map((each) => each.step), step], step };
    },
    keep(step) {
      steps.push({ step, size: sizeOf(step) });
      shorten();
    },
    ended(step, output) {
      step.metadata.tool_output = output.slice(0, maxOutputCharacters);
      steps = steps.map((each) => (each.step === step ? { step, size: sizeOf(step) } : each));
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
