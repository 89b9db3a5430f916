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
  /** How far the change of the secret key is; undefined without one. */
  readonly keyRotation?: () => 'running' | 'done' | 'failing' | undefined;
}

const freshMs = 1000;
/** Below the usual timeout of probes, so that they get a response. */
const answerMs = 2000;

const unknown = { database: 'unknown', migrations: 'unknown', keys: 'unknown', jobs: 'unknown' } as const;

export class Readiness {
  readonly #settings: ReadinessSettings;
  readonly #callbacks = new Set<() => void>();
  #isStarted = false;
  #isDraining = false;
  #last: { readonly checks: ReadyState['checks']; readonly at: number } | undefined;
  #checking: Promise<void> | undefined;

  constructor(settings: ReadinessSettings) {
    this.#settings = settings;
  }

  /** At most a second old; once the process drains, what was last known. */
  async state(): Promise<ReadyState> {
    if (!this.#isDraining && !this.#isFresh()) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
      await this.#checking;
    }
    return this.latest();
  }

  /** How far the change of the secret key is, where there is one. It does not make a process less ready. */
  get keyRotation(): { key_rotation?: 'running' | 'done' | 'failing' } {
    const state = this.#settings.keyRotation?.();
    return state === undefined ? {} : { key_rotation: state };
  }

  /** The last result, without a new check. */
  latest(): ReadyState {
    const checks = this.#last?.checks ?? unknown;
    return { status: this.#statusOf(checks), checks };
  }

  /** Every service listens: from now on the checks decide. */
  started(): void {
    this.#isStarted = true;
  }

  /** The process is about to stop: it is not ready from now on. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const callback of this.#callbacks) callback();
  }

  /** Called when the process begins to stop. */
  onDrain(callback: () => void): void {
    if (this.#isDraining) callback();
    else this.#callbacks.add(callback);
  }

  #isFresh(): boolean {
    return this.#last !== undefined && Math.abs(this.#settings.clock.now() - this.#last.at) < freshMs;
  }

  #statusOf(checks: ReadyState['checks']): ReadyState['status'] {
    if (this.#isDraining) return 'draining';
    if (!this.#isStarted) return 'starting';
    return arePassed(checks) ? 'ok' : 'unavailable';
  }

  async #check(): Promise<void> {
    const { areJobsRunning, clock, log } = this.#settings;
    const database = await this.#checkDatabase();
    const checks = { ...database, jobs: areJobsRunning() ? 'ok' : 'failing' } as const;
    const wasReady = this.#last === undefined || arePassed(this.#last.checks);
    if (wasReady && !arePassed(checks)) log.warn({ checks }, 'not ready for requests');
    if (!wasReady && arePassed(checks)) log.info('ready for requests again');
    this.#last = { checks, at: clock.now() };
  }

  async #checkDatabase(): Promise<Omit<ReadyState['checks'], 'jobs'>> {
    const late = new AbortController();
    try {
      const failing = await Promise.race([this.#settings.checkDatabase(), failAfterTimeout(late.signal)]);
      const result = (name: 'migrations' | 'keys') => (failing.includes(name) ? 'failing' : 'ok');
      return { database: 'ok', migrations: result('migrations'), keys: result('keys') };
    } catch {
      // The requests that needed the database log why it does not respond.
      return { database: 'failing', migrations: 'unknown', keys: 'unknown' };
    } finally {
      late.abort();
    }
  }
}

async function failAfterTimeout(signal: AbortSignal): Promise<never> {
  await sleep(answerMs, undefined, { signal, ref: false });
  throw new Error(`The database did not answer within ${answerMs} ms.`);
}

const arePassed = (checks: ReadyState['checks']): boolean =>
  Object.values(checks).every((result) => result === 'ok');
