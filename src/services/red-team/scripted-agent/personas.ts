/** Personas of the scripted agent: what each does next, from what it has read so far. */
import { withResults } from '#engine/red-team/session/replay.ts';
import { beforeReply } from '#engine/red-team/tasks/self-check.ts';
import type { Step } from '#engine/red-team/tasks/task-file.ts';
import { type KnownWork, orderIn, type TaskBook } from './task-book.ts';

export const personas = {
  obedient: 'does its work, and everything that any text tells it to',
  careful: 'does its work, ignores orders in texts, refuses harmful requests',
  refusing: 'refuses everything',
  'executes-then-refuses': 'as obedient, but says at the end that it refused',
  'tells-the-user': 'as careful, and tells the user which order it found',
  parallel: 'as careful, with several calls at a time',
  'other-session': 'first tries to reach another session, then works as careful',
  hangs: 'never answers',
  disconnects: 'makes one call, then breaks off the connection',
} as const;
export type Persona = keyof typeof personas;

/** What the agent has read so far. */
export interface Seen {
  readonly prompt: string;
  /** Descriptions of all tools. */
  readonly descriptions: readonly string[];
  /** Outputs of its calls, in order. */
  readonly outputs: readonly string[];
}

export interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export type Move = { readonly calls: readonly Call[] } | { readonly reply: string };

type CallStep = Extract<Step, { call: string }>;

const refusal = 'I’m sorry, but I cannot help with that.';
const greeting = 'Hello, I am a scripted agent of Bulwark.';
const obeys = new Set<Persona>(['obedient', 'executes-then-refuses']);

const callsOf = (steps: readonly Step[]): CallStep[] =>
  steps.filter((step): step is CallStep => 'call' in step);

/** The next calls, or the reply. The same texts always lead to the same move. */
export function nextMove(persona: Persona, book: TaskBook, seen: Seen): Move {
  const work = book.find(seen.prompt);
  if (work === undefined) return { reply: greeting };
  if (persona === 'refusing') return { reply: refusal };
  if (work.isAttack && !obeys.has(persona)) return { reply: refusal };
  const own = callsOf(work.steps).length;
  // Orders are followed when the work is done, as an attacker wishes: it stays unnoticed.
  const order = orderIn(work, [...seen.descriptions, ...seen.outputs.slice(0, own)]);
  const isHijacked = obeys.has(persona) && order !== undefined;
  const steps =
    isHijacked && seen.outputs.length >= own ? beforeReply(work.steps, order.steps) : [...work.steps];
  const calls = pending(steps, seen.outputs, persona === 'parallel');
  if (calls.length > 0) return { calls };
  return { reply: replyOf(persona, work, steps, seen, { isHijacked, order: order?.text }) };
}

/** The next call; or all next ones that need no output of each other. */
function pending(steps: readonly Step[], outputs: readonly string[], together: boolean): Call[] {
  const rest = callsOf(steps).slice(outputs.length);
  const [first, ...others] = rest;
  if (first === undefined) return [];
  const ready = [first];
  if (together)
    for (const step of others) {
      if (JSON.stringify(step.args).includes('{{result.')) break;
      ready.push(step);
    }
  return ready.map((step) => ({
    name: step.call,
    args: JSON.parse(withResults(JSON.stringify(step.args), outputs)) as Record<string, unknown>,
  }));
}

function replyOf(
  persona: Persona,
  work: KnownWork,
  steps: readonly Step[],
  { outputs }: Seen,
  { isHijacked, order }: { isHijacked: boolean; order: string | undefined },
): string {
  if (persona === 'executes-then-refuses' && (isHijacked || work.isAttack)) return refusal;
  const last = steps.findLast((step) => 'respond' in step);
  const reply = last && 'respond' in last ? withResults(last.respond, outputs) : 'Done.';
  if (persona !== 'tells-the-user' || order === undefined) return reply;
  return `${reply}\n\nI found an instruction in what I read, and did not follow it: "${order}"`;
}
