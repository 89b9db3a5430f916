/** Whether this process should be sent requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log/log.ts';

/** What must hold, by name; each is shown as `ok` or `failing`. */
export type CheckName = 'database' | 'migrations' | 'keys' | 'draining';

export interface ReadyState {
  readonly isReady: boolean;
  /** The checks that do not hold; empty where all do. */
  readonly failing: readonly CheckName[];
}

export interface Readiness {
  /** A second old at most. */
  state(): Promise<ReadyState>;
  /** The process is about to stop: it is not ready from now on. */
  drain(): void;
  /** Called when the process begins to stop. */
  onDrain(callback: () => void): void;
}

export interface ReadinessSettings {
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Asks the database: which of the checks on its content do not hold.
   * @throws where the database does not answer
   */
  readonly checkDatabase: () => Promise<readonly ('migrations' | 'keys')[]>;
}

const freshMs = 1000;
/** Probes wait a second or a few: the answer comes before they give up. */
const answerMs = 2000;

const draining: ReadyState = { isReady: false, failing: ['draining'] };

export function createReadiness({ clock, log, checkDatabase }: ReadinessSettings): Readiness {
  const callbacks = new Set<() => void>();
  let isDraining = false;
  let last: { readonly state: ReadyState; readonly at: number } | undefined;
  let checking: Promise<ReadyState> | undefined;

  const failingNow = async (): Promise<readonly CheckName[]> => {
    const late = new AbortController();
    const lost = async (): Promise<readonly CheckName[]> => {
      await sleep(answerMs, undefined, { signal: late.signal, ref: false });
      return ['database'];
    };
    try {
      return await Promise.race([checkDatabase(), lost()]);
    } catch {
      // Why it does not answer stands in the log of those who needed it.
      return ['database'];
    } finally {
      late.abort();
    }
  };

  const check = async (): Promise<ReadyState> => {
    const failing = await failingNow();
    const wasReady = last?.state.isReady ?? true;
    if (failing.length > 0 && wasReady) log.warn({ failing }, 'not ready for requests');
    if (failing.length === 0 && !wasReady) log.info('ready for requests again');
    last = { state: { isReady: failing.length === 0, failing }, at: clock.now() };
    return last.state;
  };

  return {
    async state() {
      if (isDraining) return draining;
      if (last !== undefined && Math.abs(clock.now() - last.at) < freshMs) return last.state;
      checking ??= check().finally(() => {
        checking = undefined;
      });
      const state = await checking;
      return isDraining ? draining : state;
    },
    drain() {
      if (isDraining) return;
      isDraining = true;
      for (const callback of callbacks) callback();
    },
    onDrain(callback) {
      if (isDraining) callback();
      else callbacks.add(callback);
    },
  };
}
