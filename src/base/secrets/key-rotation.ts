/** The change of the key that encrypts secrets at rest: from the old one beside the new one to the new one alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Secret } from '../config/secret.ts';
import type { Database } from '../db/database.ts';
import { StartupError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import { checkValueOf } from './key-check.ts';
import { inWords, resealAll, totalOf, unopened, type Resealed } from './reseal.ts';
import type { SealedColumn } from './sealed-column.ts';
import type { Vault } from './vault.ts';

/** `done`: nothing needs the previous key any more, so a start without it is possible. */
type RotationState = 'running' | 'done' | 'failing';

export interface KeyRotation extends AsyncDisposable {
  /** Undefined where no previous key is set. */
  readonly state: RotationState | undefined;
}

export interface RotationDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly vault: Vault;
  readonly columns: readonly SealedColumn[];
  readonly previous: Secret | undefined;
}

/** A process that still has the old key alone may go on sealing with it for a while. */
const againMs = 600_000;
const retryMs = 5000;

/**
 * @throws StartupError if secrets remain that only a replaced key opens, which this process does not have
 */
async function refuseLostSecrets({ db, log, vault, columns, previous }: RotationDeps): Promise<void> {
  const check = previous && checkValueOf('secrets-at-rest', previous.reveal());
  const missing = await db.query<{ checkValue: Buffer; lost: string[] }>(
    `select check_value as "checkValue", lost from bulwark.replaced_keys
      where $1::bytea is null or check_value <> $1 order by begun_at`,
    [check ?? null],
  );
  if (missing.length === 0) return;
  const remaining = await unopened(db, columns, vault, new Set(missing.flatMap(({ lost }) => lost)));
  if (remaining.length > 0) throw refusal(remaining);
  await db.query('delete from bulwark.replaced_keys where check_value = any($1)', [
    missing.map(({ checkValue }) => checkValue),
  ]);
  log.info('no secret needs a replaced secret key any more');
}

const refusal = (remaining: Parameters<typeof totalOf>[0]): StartupError =>
  new StartupError(
    `${totalOf(remaining)} stored secrets are still encrypted with the key that BULWARK_SECRET_KEY replaced: ` +
      `${inWords(remaining)}. Start with BULWARK_SECRET_KEY_PREVIOUS set to that key until the log says that all secrets ` +
      'are encrypted with the new one. If that key is lost, start once with BULWARK_ACCEPT_NEW_KEYS=true and enter ' +
      'those secrets again.',
  );

/**
 * Begins to encrypt all secrets with the current key where a previous one is set.
 * @throws StartupError if a previous key is not set although it is still needed
 */
export async function openKeyRotation(deps: RotationDeps): Promise<KeyRotation> {
  await refuseLostSecrets(deps);
  return new Rotation(deps);
}

class Rotation implements KeyRotation {
  state: RotationState | undefined;
  readonly #deps: RotationDeps;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(deps: RotationDeps) {
    this.#deps = deps;
    this.#running = deps.previous === undefined ? Promise.resolve() : this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    this.state = 'running';
    this.#deps.log.info('encrypting stored secrets with the new secret key');
    while (!signal.aborted) {
      const waitMs = await this.#pass();
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** @returns how long to wait for the next pass */
  async #pass(): Promise<number> {
    const { db, log, vault, columns } = this.#deps;
    const { signal } = this.#end;
    try {
      const found = await resealAll(db, columns, vault, signal);
      if (found.missed > 0) return 0;
      await this.#note(found);
      if (this.state !== 'done' || found.resealed > 0) this.#tell(found);
      this.state = 'done';
      return againMs;
    } catch (error) {
      if (signal.aborted) return 0;
      this.state = 'failing';
      log.warn({ err: error }, 'stored secrets could not be encrypted with the new secret key; trying again');
      return retryMs;
    }
  }

  async #note({ fingerprints }: Resealed): Promise<void> {
    const { db, previous } = this.#deps;
    await db.query('update bulwark.replaced_keys set lost = $2 where check_value = $1', [
      checkValueOf('secrets-at-rest', previous?.reveal() ?? ''),
      fingerprints,
    ]);
  }

  #tell({ resealed, lost }: Resealed): void {
    const { log } = this.#deps;
    if (lost.length > 0)
      log.warn(`${totalOf(lost)} stored secrets are lost, since neither key opens them: ${inWords(lost)}`);
    log.info(
      { resealed },
      'all stored secrets are encrypted with the new secret key: BULWARK_SECRET_KEY_PREVIOUS can be removed once every process says so',
    );
  }
}
