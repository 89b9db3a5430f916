/**
 * Counts over all sessions, exact in all processes together: a call takes its place in the count before it is judged,
 * and gives it back if it is not let pass. Of two calls at once the second therefore sees the first.
 */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { type Counter, keysIn, kindOfCall } from '#engine/rules/matching/counters.ts';
import type { CountQuery } from '#engine/rules/matching/judged-call.ts';
import * as store from './store.ts';

/** What is known of how often something was done. */
export interface Place {
  /** Before this call. */
  readonly countBefore: (query: CountQuery) => number | undefined;
  /** The call is not let pass: it does not count. */
  readonly giveBack: () => Promise<void>;
}

export interface Counting {
  /**
   * Counts the call with the others of its kind.
   * @param callId of its log entry
   * @throws AppError 503 while the database is unavailable
   */
  take(tenantId: string, callId: string, step: TraceStep, counters: readonly Counter[]): Promise<Place>;
}

const dayMs = 86_400_000;
/** A year and a day: the longest window. */
export const countedDays = 367;
/** Of the log of a tenant, when a counter is met for the first time. */
const mostTakenOver = 50_000;

const idOf = ({ acts, keys, window }: Pick<CountQuery, 'acts' | 'keys' | 'window'>) =>
  JSON.stringify([acts, keys, window]);

export function createCounting({ db, clock }: { db: Database; clock: Clock }): Counting {
  /** What the log has of earlier calls, once for each counter. */
  async function takeOver(tx: Queries, tenantId: string, name: string, counter: Counter, step: TraceStep) {
    const from = new Date(clock.now() - countedDays * dayMs);
    const isMeant = (toolName: string) =>
      counter.acts.length === 0
        ? toolName === step.toolName
        : keysIn({ role: 'agent', toolName }, counter) !== undefined;
    const tools = (await store.listTools(tx, tenantId, from)).filter(isMeant);
    if (tools.length === 0) return;
    const logged = await store.listCalls(tx, tenantId, { from, tools, limit: mostTakenOver });
    const calls = logged.flatMap(({ callId, at, toolName, toolParams }) => {
      const params = JSON.parse(toolParams) as Record<string, unknown>;
      const keys = keysIn({ role: 'agent', toolName, toolParams: params }, counter);
      return keys === undefined ? [] : [{ callId, at, keys }];
    });
    await store.addCalls(tx, tenantId, name, calls);
  }

  return {
    async take(tenantId, callId, step, counters) {
      const meant = counters.flatMap((counter) => {
        const keys = keysIn(step, counter);
        return keys === undefined ? [] : [{ counter, keys, name: kindOfCall(step, counter) }];
      });
      if (meant.length === 0) return { countBefore: () => undefined, giveBack: async () => {} };
      const names = [...new Set(meant.map(({ name }) => name))].toSorted();
      const counts = await db.transaction(async (tx) => {
        const now = new Date(clock.now());
        const found = new Map<string, number>();
        // In one order, so that two calls never wait for each other.
        for (const name of names) await store.lockCounter(tx, tenantId, name);
        for (const { counter, keys, name } of meant) {
          if (await store.startCounter(tx, tenantId, name, now))
            await takeOver(tx, tenantId, name, counter, step);
          const count = await store.countCalls(tx, tenantId, name, { keys, window: counter.window, now });
          found.set(idOf({ acts: counter.acts, keys, window: counter.window }), count);
        }
        for (const name of names) {
          const keys = meant.find((one) => one.name === name)?.keys ?? [];
          await store.addCalls(tx, tenantId, name, [{ callId, keys, at: now }]);
        }
        return found;
      });
      return {
        countBefore: (query) => counts.get(idOf(query)),
        giveBack: () => store.removeCall(db, tenantId, callId, names),
      };
    },
  };
}
