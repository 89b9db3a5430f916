/** Whether this process is ready for requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log/log.ts';

/** What must hold before a process should be sent requests. */
type CheckName = 'database' | 'migrations' | 'keys' | 'jobs';

/** `unknown`: not checked yet, or cannot be checked while the database does not respond. */
type CheckResult = 'ok' | 'failing' | 'unknown';

export interface ReadyState {
  /** `unavailable`: at least one check fails. */
  readonly status: 'ok' | 'starting' | 'draining' | 'unavailable';
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
}

export interface Readiness {
  /** At most a second old; once the process drains, what was last known. */
  state(): Promise<ReadyState>;
  /** The last result, without a new check. */
  latest(): ReadyState;
  /** Every service listens: from now on the checks decide. */
  started(): void;
  /** The process is about to stop: it is not ready from now on. */
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
  /** Whether background jobs are being executed. */
  readonly areJobsRunning: () => boolean;
}

const freshMs = 1000;
/** Below the usual timeout of probes, so that they get a response. */
const answerMs = 2000;

const unknown = { database: 'unknown', migrations: 'unknown', keys: 'unknown', jobs: 'unknown' } as const;

export function createReadiness(settings: ReadinessSettings): Readiness {
  const { clock, log, checkDatabase, areJobsRunning } = settings;
  const callbacks = new Set<() => void>();
  let isStarted = false;
  let isDraining = false;
  let last: { readonly checks: ReadyState['checks']; readonly at: number } | undefined;
  let checking: Promise<ReadyState['checks']> | undefined;

  const databaseChecks = async (): Promise<Omit<ReadyState['checks'], 'jobs'>> => {
    const late = new AbortController();
    const timeout = async (): Promise<never> => {
      await sleep(answerMs, undefined, { signal: late.signal, ref: false });
      throw new Error(`The database did not answer within ${answerMs} ms.`);
    };
    try {
      const failing = await Promise.race([checkDatabase(), timeout()]);
      const result = (name: 'migrations' | 'keys') => (failing.includes(name) ? 'failing' : 'ok');
      return { database: 'ok', migrations: result('migrations'), keys: result('keys') };
    } catch {
      // The requests that needed the database log why it does not respond.
      return { database: 'failing', migrations: 'unknown', keys: 'unknown' };
    } finally {
      late.abort();
    }
  };

  const check = async (): Promise<ReadyState['checks']> => {
    const checks = { ...(await databaseChecks()), jobs: areJobsRunning() ? 'ok' : 'failing' } as const;
    const wasReady = last === undefined || arePassed(last.checks);
    if (wasReady && !arePassed(checks)) log.warn({ checks }, 'not ready for requests');
    if (!wasReady && arePassed(checks)) log.info('ready for requests again');
    last = { checks, at: clock.now() };
    return checks;
  };

  const statusOf = (checks: ReadyState['checks']): ReadyState['status'] => {
    if (isDraining) return 'draining';
    if (!isStarted) return 'starting';
    return arePassed(checks) ? 'ok' : 'unavailable';
  };

  const latest = (): ReadyState => {
    const checks = last?.checks ?? unknown;
    return { status: statusOf(checks), checks };
  };

  return {
    latest,
    async state() {
      if (isDraining) return latest();
      if (last === undefined || Math.abs(clock.now() - last.at) >= freshMs) {
        checking ??= check().finally(() => {
          checking = undefined;
        });
        await checking;
      }
      return latest();
    },
    started() {
      isStarted = true;
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

const arePassed = (checks: ReadyState['checks']): boolean =>
  Object.values(checks).every((result) => result === 'ok');
