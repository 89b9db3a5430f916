import { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { SessionHistory } from '#services/action-guard/contract/trace.ts';
import { readStep } from '#services/action-guard/evaluate/trace-step.ts';
import { linesOf, setNameOf, type OpenedInput } from '../inputs.ts';

/** What a row of a file holds besides the request's `session_history`. */
const Row = z.object({
  session_history: SessionHistory,
  label: z.union([z.literal(0), z.literal(1)]),
  id: z.string().optional(),
  flag_steps: z.array(z.int()).optional(),
  source: z.string().optional(),
  suite: z.string().optional(),
  wording: z.string().optional(),
  outcome: z.string().optional(),
});

export interface LabelledTrace {
  name: string;
  isAttack: boolean;
  steps: TraceStep[];
  /** Indices of the steps that are the attack; empty where the row does not say. */
  attackAt: number[];
  source: string;
  suite: string;
  /** Of the injected instruction; of benign tasks what came of them. */
  wording: string;
}

export interface BrokenTrace {
  path: string;
  line: number;
  why: string;
}

/** What became of the lines that gave no trace to measure. */
export interface TraceCounts {
  rowsOf: Map<string, number>;
  broken: number;
  firstBroken: BrokenTrace[];
  /** No agent step of theirs calls a tool. */
  withoutCalls: number;
  /** Attacks by what came of them in which no call is marked: nothing was done that could be stopped. */
  withoutMarkedCalls: number;
}

export const newTraceCounts = (): TraceCounts => ({
  rowsOf: new Map(),
  broken: 0,
  firstBroken: [],
  withoutCalls: 0,
  withoutMarkedCalls: 0,
});

export const isCall = ({ role, toolName = '' }: TraceStep): boolean => role === 'agent' && toolName !== '';

function traceOf(line: string, path: string, number: number): LabelledTrace | string {
  let document: unknown;
  try {
    document = JSON.parse(line);
  } catch {
    return 'not valid JSON';
  }
  const row = Row.safeParse(document);
  if (!row.success) return describeIssues(row.error.issues, document, 'row');
  const { data } = row;
  const steps = (data.session_history.trace ?? []).map(readStep);
  const marked = new Set(data.flag_steps);
  const attackAt = steps.flatMap((step, at) => (isCall(step) && marked.has(step.stepId ?? at) ? [at] : []));
  return {
    name: data.id ?? `${path}:${number}`,
    isAttack: data.label === 1,
    steps,
    attackAt,
    source: data.source ?? setNameOf(path),
    suite: data.suite ?? '–',
    wording: data.wording ?? data.outcome ?? '–',
  };
}

/** Reads labelled traces, in memory for one of them, and counts what it leaves out. */
export async function* readTraces(
  inputs: readonly OpenedInput[],
  counts: TraceCounts,
): AsyncGenerator<LabelledTrace> {
  for (const input of inputs)
    for await (const { number, text, broken } of linesOf(input)) {
      if (broken === undefined && text.trim() === '') continue;
      counts.rowsOf.set(input.path, (counts.rowsOf.get(input.path) ?? 0) + 1);
      const trace = broken ?? traceOf(text, input.path, number);
      if (typeof trace === 'string') {
        counts.broken++;
        if (counts.firstBroken.length < 5)
          counts.firstBroken.push({ path: input.path, line: number, why: trace });
      } else if (!trace.steps.some(isCall)) counts.withoutCalls++;
      else if (isUnmarked(trace)) counts.withoutMarkedCalls++;
      else yield trace;
    }
}

/** Rows that state the outcome of an attack mark its calls, if there were any. */
const isUnmarked = ({ isAttack, attackAt, wording }: LabelledTrace) =>
  isAttack && attackAt.length === 0 && wording.startsWith('attack_');
