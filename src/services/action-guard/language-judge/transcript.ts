/** A trace as text for a language model: limited in length, with the judged step last and complete. */
import { leavesOf, outputText } from '#engine/actions/calls/leaves.ts';
import type { TraceStep } from '#engine/actions/types.ts';

interface Limits {
  /** Maximum total characters. */
  readonly total: number;
  /** Maximum number of steps before the judged one. */
  readonly steps: number;
}

const whole: Limits = { total: 24_000, steps: 60 };
const fast: Limits = { total: 6000, steps: 4 };
const longest = { judged: 12_000, earlier: 2000 };

/** Keeps the beginning and the end, since an injection may be at either. */
function cut(text: string | undefined, limit: number): string | undefined {
  if (text === undefined || text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)} … (${left} characters left out) … ${text.slice(-half)}`.toWellFormed();
}

/** The arguments unchanged if they are short; else truncated, including each long value. */
function argumentsOf(params: TraceStep['toolParams'], limit: number): unknown {
  if (params === undefined) return undefined;
  const each = Math.floor(limit / 4);
  try {
    const text = JSON.stringify(params, (_, value: unknown) =>
      typeof value === 'string' ? cut(value, each) : value,
    );
    return text.length <= limit ? JSON.parse(text) : cut(text, limit);
  } catch {
    // Too deeply nested or circular: only the reachable values.
    const values = leavesOf(params).map(({ path, text }) => `${path}: ${cut(text, each)}`);
    return cut(values.join('\n'), limit);
  }
}

function shown(step: TraceStep, number: number, limit: number) {
  const output = outputText(step.toolOutput);
  return {
    step: number,
    role: step.role,
    ...(step.role === 'user'
      ? { says: cut(step.content, limit) }
      : { does: cut(step.action ?? step.content, limit) }),
    ...(step.toolName === undefined
      ? {}
      : { tool: cut(step.toolName, 200), arguments: argumentsOf(step.toolParams, limit) }),
    ...(output === '' ? {} : { answered: cut(output, limit) }),
  };
}

/**
 * The steps up to the judged one, the last agent step. Long traces keep the user's first and last message and the
 * latest steps.
 */
export function transcript(steps: readonly TraceStep[], fastMode: boolean): unknown[] {
  const limits = fastMode ? fast : whole;
  const judgedAt = steps.findLastIndex(({ role }) => role === 'agent');
  const judged = steps[judgedAt];
  if (judged === undefined) return [];
  const lastUser = steps.findLastIndex(({ role }, at) => role === 'user' && at < judgedAt);
  const firstUser = fastMode ? -1 : steps.findIndex(({ role }) => role === 'user');
  const kept = new Map<number, unknown>([
    [judgedAt, { ...shown(judged, judgedAt + 1, longest.judged), judged: true }],
  ]);
  let used = 0;
  const keep = (at: number) => {
    const step = steps[at];
    if (step === undefined || kept.has(at)) return;
    const view = shown(step, at + 1, longest.earlier);
    used += JSON.stringify(view).length;
    kept.set(at, view);
  };
  keep(lastUser);
  if (firstUser < judgedAt) keep(firstUser);
  for (let at = judgedAt - 1; at >= 0 && judgedAt - at <= limits.steps && used < limits.total; at--) keep(at);
  return [...kept].sort(([a], [b]) => a - b).map(([, view]) => view);
}
