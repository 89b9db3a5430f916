import type { Check } from '#engine/red-team/checks/check.ts';
import type { Seed } from '#engine/red-team/tasks/instance.ts';
import type { Environment } from '#environments/kit/environment.ts';

/** One suite of AgentDojo on our environment kit. */
export interface Suite {
  environment: Environment;
  /** What belongs to a start state, in which the vectors may hold other texts than in the suite's. */
  startingFrom(startState: unknown): SuiteStart;
}

export interface SuiteStart {
  /** The rows of this start state. */
  seed: Seed;
  /** When a user's task counts as done, by its id. */
  userTasks: Record<string, Check>;
  /** When an attacker's goal counts as reached, by its id. */
  injectionTasks: Record<string, Check>;
}

const separator = '__';

/** Short forms for the checks of one environment. */
export function checksOf(env: string) {
  return {
    row: (table: string, where: Where, more: RowOptions = {}): Check => ({
      row: { env, table, op: 'exists', where, before: {}, count: { min: 1 }, ...more },
    }),
    called: (tool: string, args: Where): Check => ({
      call: { tool: `${env}${separator}${tool}`, args, ok: true, count: { min: 1 } },
    }),
    nothingChanged: { only_changes: [] } satisfies Check,
  };
}

type RowOptions = Partial<Extract<Check, { row: unknown }>['row']>;
type Where = Extract<Check, { row: unknown }>['row']['where'];
