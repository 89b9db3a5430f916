import type { Strictness } from '#engine/text/types.ts';
import type { Outcome } from '../../guards/guard.ts';
import type { Engine } from '../../guards/engines.ts';

/**
 * What one group found. Stored in this form, so it is compact: a policy names who decided it unless that was the
 * embedded engine, and a group has `degraded` only where it is true.
 */
export type Found = readonly [
  groupUuid: string,
  name: string,
  threshold: number,
  strictness: Strictness,
  reasoning: string | null,
  policies: readonly (readonly [name: string, probability: number, engine?: Engine])[],
  isDegraded?: boolean,
];

/** An entry of the query log. */
export interface Query {
  /** Of version 7: entries sort by it as by time. */
  readonly queryId: string;
  readonly tenantId: string;
  /** Of the guard. */
  readonly ownerId: string;
  readonly guardUuid: string;
  readonly guardVersion: number;
  readonly outcome: Outcome;
  readonly text: string | null;
  readonly textHash: string | null;
  readonly textLength: number;
  readonly messages: number;
  readonly door: string;
  readonly userId: string | null;
  readonly apiKeyId: string | null;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly fromCache: boolean;
  readonly latencyMs: number;
  readonly allowedBy: string | null;
  readonly found: readonly Found[];
}

const codes: Record<Outcome, number> = { passed: 0, flagged: 1, observed: 2, allowed: 3 };
const names: readonly Outcome[] = ['passed', 'flagged', 'observed', 'allowed'];

/** The code in the tables. */
export const outcomeCode = (outcome: Outcome): number => codes[outcome];

export function outcomeNamed(code: number): Outcome {
  const name = names[code];
  if (name === undefined) throw new Error(`no outcome has the code ${code}`);
  return name;
}

/** The names of the policies at or above their threshold, each once. */
export const violatedIn = (found: readonly Found[]): string[] => [
  ...new Set(
    found.flatMap(([, , threshold, , , policies]) =>
      policies.filter(([, probability]) => probability >= threshold).map(([name]) => name),
    ),
  ),
];

const lastMs = 2 ** 48 - 1;

/** The least id that an entry of this moment can have. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(0, Math.floor(ms)), lastMs)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When the entry was made, in Unix milliseconds. */
export const timeOfId = (queryId: string): number =>
  Number.parseInt(queryId.slice(0, 8) + queryId.slice(9, 13), 16);
