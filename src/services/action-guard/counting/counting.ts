/**
 * Counts over all sessions, exact in all processes together: a call takes its place in the count before it is judged,
 * and gives it back if it is not let pass. Of two calls at once the second therefore sees the first. A call that is judged
 * twice under one id counts once.
 */
import { createHash } from 'node:crypto';
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
   * Counts the call with the others of its kind; the same id again counts nothing.
   * @throws AppError 503 while the database is unavailable
   */
  take(tenantId: string, callId: string, step: TraceStep, counters: readonly Counter[]): Promise<Place>;
}

const dayMs = 86_400_000;
/** A year and a day: the longest window. */
export const countedDays = 367;
/** Of the log of a tenant, when a counter is met for the first time. */
const mostTakenOver = 50_000;

/** How an application names a call that it asks about. */
interface AskedCall {
  readonly userId: string;
  readonly sessionId: string;
  readonly callId: string | undefined;
}

const nothing = () => Promise.resolve();

/**
 * The id under which a call is counted: the same for a call that is judged more than once under the id that its
 * application gave it, another as soon as anything of the call differs.
 */
export function countedId(
  logId: string,
  { callId, sessionId, userId }: AskedCall,
  { toolName, toolParams }: TraceStep,
): string {
  if (callId === undefined) return logId;
  const of = JSON.stringify([userId, sessionId, callId, toolName ?? '', toolParams ?? {}]);
  const hex = createHash('sha256').update(of).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

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
      if (meant.length === 0) return { countBefore: () => undefined, giveBack: nothing };
      const added: string[] = [];
      const names = [...new Set(meant.map(({ name }) => name))].toSorted();
      const counts = await db.transaction(async (tx) => {
        const now = new Date(clock.now());
        const found = new Map<string, number>();
        // In one order, so that two calls never wait for each other.
        for (const name of names) await store.lockCounter(tx, tenantId, name);
        for (const { counter, keys, name } of meant) {
          if (await store.startCounter(tx, tenantId, name, now))
            await takeOver(tx, tenantId, name, counter, step);
          const window = counter.window;
          const count = await store.countCalls(tx, tenantId, name, { keys, window, now, callId });
          found.set(idOf({ acts: counter.acts, keys, window: counter.window }), count);
        }
        for (const name of names) {
          const keys = meant.find((one) => one.name === name)?.keys ?? [];
          if (await store.addCalls(tx, tenantId, name, [{ callId, keys, at: now }])) added.push(name);
        }
        return found;
      });
      return {
        countBefore: (query) => counts.get(idOf(query)),
        // What an earlier verdict on the same call has counted stays: the call may have been made by now.
        giveBack: () => (added.length === 0 ? nothing() : store.removeCall(db, tenantId, callId, added)),
      };
    },
  };
}
