import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import { labelId } from '#engine/text/label-ids.ts';
import type { TextKind } from '#engine/text/types.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import { healthOperations } from '#services/policy-guard/contract/health.ts';
import type { Column, JudgedRow, RowJudge } from './row-judge.ts';

interface GuardAddress {
  baseUrl: string;
  key: string;
  guardUuid: string;
  concurrency: number;
  /** What the texts are. */
  context: TextKind | undefined;
}

const mostTries = 5;
const firstWaitMs = 500;

/** Retries with exponential backoff while the service is busy or does not respond. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const passes = error instanceof AppError && [429, 503, 504].includes(error.status);
      if (!passes || tries === mostTries) throw error;
      await wait(firstWaitMs * 2 ** (tries - 1));
    }
  }
}

type Answer = Awaited<ReturnType<ReturnType<typeof createClient<typeof evaluateOperations>>['topicGuard']>>;

/** Policies by name; a name in two groups is one column, and has the lower threshold. */
function columnsOf({ results }: Answer): Column[] {
  const columns = new Map<string, Column>();
  for (const { probs, threshold } of results)
    for (const name of Object.keys(probs)) {
      const id = labelId(name);
      const known = columns.get(id);
      columns.set(id, { id, name, threshold: Math.min(threshold, known?.threshold ?? 1) });
    }
  return [...columns.values()];
}

/** The highest score of a policy in any group, flagged where any group flags it. */
function judgedRow({ results }: Answer, columnOf: ReadonlyMap<string, number>): JudgedRow {
  const scores = new Float64Array(columnOf.size);
  const flags = new Uint8Array(columnOf.size);
  for (const { probs, categories } of results)
    for (const [name, probability] of Object.entries(probs)) {
      const column = columnOf.get(labelId(name));
      if (column === undefined) continue;
      scores[column] = Math.max(scores[column] ?? 0, probability);
      if (categories[name] === true) flags[column] = 1;
    }
  return { scores, flags };
}

/**
 * Judges rows by a running guard, with its own policies, thresholds and strictness.
 * @throws AppError when it cannot be reached, refuses the key or has no such guard
 */
export async function guardJudge({
  baseUrl,
  key,
  guardUuid,
  concurrency,
  context,
}: GuardAddress): Promise<RowJudge> {
  const options = { baseUrl, headers: () => ({ 'x-api-key': key }) };
  const client = createClient(evaluateOperations, options);
  const ask = (text: string, messages: Parameters<RowJudge['judge']>[0]['messages']) =>
    patiently(() => client.topicGuard({ body: { text, messages, guard_uuid: guardUuid, context } }));
  // No retries: an unreachable address is reported at once.
  const { version } = await createClient(healthOperations, options).getHealth();
  const first = await ask('Good morning.', []);
  const columns = columnsOf(first);
  const columnOf = new Map(columns.map(({ id }, column) => [id, column]));
  return {
    columns,
    about: { kind: 'guard', version, guard: `${first.guard} (${guardUuid})` },
    concurrency,
    judge: async ({ text, messages }) => judgedRow(await ask(text, messages), columnOf),
  };
}

/** Whether the next row would be refused in the same way. */
export const endsTheRun = (error: unknown): boolean =>
  !(error instanceof AppError) ||
  [401, 403, 404, 409].includes(error.status) ||
  (error.status === 503 && error.code === 'unreachable');
