/** Whether this process is ready for requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log/log.ts';

/** Names of the checks; each is shown as `ok` or `failing`. */
export type CheckName = 'database' | 'migrations' | 'keys' | 'draining';

export interface ReadyState {
  readonly isReady: boolean;
  /** The failing checks; empty if ready. */
  readonly failing: readonly CheckName[];
}

export interface Readiness {
  /** At most one second old. */
  state(): Promise<ReadyState>;
  /** Marks the process as stopping: not ready from now on. */
  drain(): void;
  /** Called when the process begins to stop. */
  onDrain(callback: () => void): void;
}

export interface ReadinessSettings {
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Returns which checks on the database's content fail.
   * @throws if the database does not respond
   */
  readonly checkDatabase: () => Promise<readonly ('migrations' | 'keys')[]>;
}

const freshMs = 1000;
/** Below the usual timeout of probes, so that they get a response. */
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
      // The cause is logged by the requests that failed.
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
