import type { Check } from '#engine/red-team/checks/check.ts';
import type { Seed } from '#engine/red-team/tasks/instance.ts';
import type { Environment } from '#environments/kit/environment.ts';

/** Versions of the benchmark, the oldest first; some checkers became less strict. */
export const versions = ['v1', 'v1.1', 'v1.1.1', 'v1.1.2', 'v1.2', 'v1.2.1'] as const;
export type Version = (typeof versions)[number];

/** Whether a version is this one or a later one. */
export function isSince(version: Version, other: Version): boolean {
  return versions.indexOf(version) >= versions.indexOf(other);
}

/** One suite of AgentDojo on our environment kit. */
export interface Suite {
  environment: Environment;
  /** What belongs to a start state, in which the vectors may hold other texts than in the suite's. */
  startingFrom(startState: unknown, version: Version): SuiteStart;
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
    /** A call was made, whether or not it succeeded. */
    called: (tool: string, args: Where): Check => ({
      any: [true, false].map((ok) => ({
        call: { tool: `${env}${separator}${tool}`, args, ok, count: { min: 1 } },
      })),
    }),
    nothingChanged: { only_changes: [] } satisfies Check,
  };
}

type RowOptions = Partial<Extract<Check, { row: unknown }>['row']>;
type Where = Extract<Check, { row: unknown }>['row']['where'];
