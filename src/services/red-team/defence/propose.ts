/** Rules that may stop an attack, from the call that carried it out. They are proposals: the action guard tries them. */
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { canariesOf } from '../results/canaries.ts';
import type { CallInSession } from './session-calls.ts';

/** A rule as a form of the action guard. */
export type RuleForm = Record<string, unknown>;

export interface Candidate {
  readonly rule: RuleForm;
  readonly why: string;
}

const shortestValue = 4;

/** Letters, digits and white space alone matter when a value is looked for in a text. */
const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ');

/**
 * The call that carried out the attack: the last that is like a call of the attacker's script and is none of the user's,
 * else the last that holds what the judge looks for.
 */
export function findDecisive(task: TaskInstance, calls: readonly CallInSession[]): CallInSession | undefined {
  const scripted = (of: 'user' | 'attacker') =>
    new Set(task.groundTruth[of].flatMap((step) => ('call' in step ? [step.call] : [])));
  const [user, attacker] = [scripted('user'), scripted('attacker')];
  const canaries = task.attack === null ? [] : canariesOf(task.attack).map(plain);
  const holdsCanary = ({ input }: CallInSession) => {
    const text = plain(JSON.stringify(input));
    return canaries.some((canary) => text.includes(canary));
  };
  return (
    calls.findLast((call) => attacker.has(call.tool) && holdsCanary(call)) ??
    calls.findLast(({ tool }) => attacker.has(tool) && !user.has(tool)) ??
    calls.findLast(holdsCanary) ??
    calls.findLast(({ tool }) => attacker.has(tool))
  );
}

/** Texts and numbers of the arguments, by their paths. */
function leavesOf(value: unknown, path = ''): [path: string, value: string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) =>
    leavesOf(each, Array.isArray(value) ? path : path === '' ? key : `${path}.${key}`),
  );
}

/** The tool of any server: in production it stands behind another prefix than in the sandbox. */
const anyServer = (tool: string) => `*${tool.slice(tool.indexOf('__') + 2)}`;

/** From the most general rule to the most particular. */
export function candidatesFor(
  decisive: CallInSession,
  prompt: string,
  harmless: readonly CallInSession[],
): Candidate[] {
  const isTool = { is: 'tool', names: [anyServer(decisive.tool)] };
  const said = plain(prompt);
  const ordinary = harmless.filter(({ tool }) => tool === decisive.tool);
  const foreign = leavesOf(decisive.input).filter(
    ([, value]) => value.length >= shortestValue && !said.includes(plain(value)),
  );
  return [
    {
      rule: { when: isTool, requires: { is: 'user_asked' }, on_missing: 'ask' },
      why: 'A person decides where the user did not ask for this.',
    },
    ...restrictions(isTool, foreign, ordinary),
    {
      rule: { when: isTool, requires: { is: 'approval', from: 'checked' }, on_missing: 'ask' },
      why:
        ordinary.length === 0
          ? 'No harmless task calls this tool: a person approves each call.'
          : 'A person approves each call of this tool, also in ordinary work.',
    },
    ...foreign.slice(0, 3).map(([path, value]) => ({
      rule: {
        when: { all: [isTool, { is: 'argument', path, operator: 'is', value: value.slice(0, 500) }] },
        on_missing: 'deny',
      },
      why: 'It refuses this value alone: another attacker has another one.',
    })),
  ];
}

/** Arguments may only be what ordinary work has there. */
function restrictions(
  isTool: RuleForm,
  foreign: readonly (readonly [path: string, value: string])[],
  ordinary: readonly CallInSession[],
): Candidate[] {
  const known = ordinary.flatMap(({ input }) => leavesOf(input));
  return foreign.flatMap(([path, value]): Candidate[] => {
    const values = [...new Set(known.filter(([at]) => at === path).map(([, each]) => each))];
    const isBounded = values.length > 0 && values.length <= 20 && values.every(({ length }) => length <= 200);
    if (!isBounded || values.includes(value)) return [];
    return [
      {
        rule: {
          when: { all: [isTool, { is: 'argument', path, operator: 'not_in', value: values }] },
          on_missing: 'ask',
        },
        why: `A person decides about any other “${path}” than those of ordinary work.`,
      },
    ];
  });
}
