/**
 * Counts and sums over all sessions, exact in all processes together: a call takes its place in them before it is judged,
 * and gives it back if it is not let pass. Of two calls at once the second therefore sees the first. A call that is judged
 * twice under one id counts once. A count is of one policy set: what others let pass under theirs is none of it.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { amountsOf, type CallInTrace, lastCall, type Sums } from '#engine/rules/matching/added.ts';
import { type Counter, keysIn, kindOfCall } from '#engine/rules/matching/counters.ts';
import type { CountBefore, CountQuery, SumBefore, SumQuery } from '#engine/rules/matching/judged-call.ts';
import * as store from './store.ts';

/** What is known of how often something was done. */
export interface Place {
  /** Before this call. */
  readonly countBefore: (query: CountQuery) => CountBefore | undefined;
  readonly sumBefore: (query: SumQuery) => SumBefore | undefined;
  /** The call is not let pass: it does not count. */
  readonly giveBack: () => Promise<void>;
}

export interface Counting {
  /**
   * Counts the last call of the steps with the others of its kind; the same id again counts nothing.
   * @throws AppError 503 while the database is unavailable
   */
  take(
    set: CountedSet,
    ids: CallIds,
    steps: readonly TraceStep[],
    counters: readonly Counter[],
  ): Promise<Place>;
}

/** Under which id a call is counted, and which entry of the log tells of it. */
export type CallIds = Pick<store.CountedCall, 'callId' | 'logId'>;
export type CountedSet = store.CountedSet;

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

const nowhere: Place = { countBefore: () => undefined, sumBefore: () => undefined, giveBack: nothing };

type Counted = Pick<CountQuery, 'acts' | 'keys' | 'window'> & Pick<Counter, 'added'>;

const idOf = ({ acts, keys, window, added }: Counted) =>
  JSON.stringify([acts.toSorted(), keys, window, added]);

/** What a counter has to do with the call. */
interface Meant {
  readonly counter: Counter;
  readonly keys: readonly string[];
  readonly name: string;
  /** What the call adds, where the counter adds up. */
  readonly amounts: Sums | undefined;
}

function meantBy(
  { call, earlier }: CallInTrace,
  counters: readonly Counter[],
  { policySetId }: CountedSet,
): Meant[] {
  return counters.flatMap((counter) => {
    const keys = keysIn(call.step, counter);
    if (keys === undefined) return [];
    const { added } = counter;
    const amounts = added && amountsOf({ call, earlier }, added);
    return [{ counter, keys, name: `${policySetId} ${kindOfCall(call.step, counter)}`, amounts }];
  });
}

export function createCounting({ db, clock }: { db: Database; clock: Clock }): Counting {
  /** What the log has of earlier calls, once for each counter. */
  async function takeOver(tx: Queries, set: CountedSet, { name, counter }: Meant, step: TraceStep) {
    const from = new Date(clock.now() - countedDays * dayMs);
    const isMeant = (toolName: string) =>
      counter.acts.length === 0
        ? toolName === step.toolName
        : keysIn({ role: 'agent', toolName }, counter) !== undefined;
    const tools = (await store.listTools(tx, set, from)).filter(isMeant);
    if (tools.length === 0) return;
    const logged = await store.listCalls(tx, set, { from, tools, limit: mostTakenOver });
    const calls = logged.flatMap(({ callId, at, toolName, toolParams }) => {
      const params = JSON.parse(toolParams) as Record<string, unknown>;
      const known = lastCall([{ role: 'agent', toolName, toolParams: params }]);
      return (known === undefined ? [] : meantBy(known, [counter], set)).map(({ keys, amounts }) => ({
        callId,
        logId: callId,
        at,
        keys,
        amounts: amounts ?? new Map<string, number>(),
      }));
    });
    await store.addCalls(tx, set.tenantId, name, calls);
    await store.addAmounts(tx, set.tenantId, name, calls);
  }

  return {
    async take(set, { callId, logId }, steps, counters) {
      const { tenantId } = set;
      const known = lastCall(steps);
      const meant = known === undefined ? [] : meantBy(known, counters, set);
      if (known === undefined || meant.length === 0) return nowhere;
      const added: string[] = [];
      const byName = new Map(meant.map((one) => [one.name, one]));
      const names = [...byName.keys()].toSorted();
      const { counts, sums } = await db.transaction(async (tx) => {
        const now = new Date(clock.now());
        const before = { counts: new Map<string, CountBefore>(), sums: new Map<string, SumBefore>() };
        // In one order, so that two calls never wait for each other.
        for (const name of names) await store.lockCounter(tx, tenantId, name);
        for (const one of meant) {
          const { counter, keys, name } = one;
          if (await store.startCounter(tx, tenantId, name, now))
            await takeOver(tx, set, one, known.call.step);
          const since = { keys, window: counter.window, now, callId };
          const id = idOf({ ...counter, keys });
          if (one.amounts === undefined)
            before.counts.set(id, await store.countCalls(tx, tenantId, name, since));
          else before.sums.set(id, await store.sumCalls(tx, tenantId, name, since));
        }
        for (const [name, { keys, amounts }] of byName)
          if (await store.addCalls(tx, tenantId, name, [{ callId, logId, keys, at: now }])) {
            added.push(name);
            if (amounts !== undefined)
              await store.addAmounts(tx, tenantId, name, [{ callId, at: now, amounts }]);
          }
        return before;
      });
      return {
        countBefore: (query) => counts.get(idOf(query)),
        sumBefore: (query) => sums.get(idOf(query)),
        // What an earlier verdict on the same call has counted stays: the call may have been made by now.
        giveBack: () => (added.length === 0 ? nothing() : store.removeCall(db, tenantId, callId, added)),
      };
    },
  };
}
