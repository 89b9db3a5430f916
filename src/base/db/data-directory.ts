import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '#base/errors.ts';
import { systemProblem } from '#base/system-problem.ts';

/**
 * Locks the directory for this process until the result is disposed or the process ends, in whatever way.
 *
 * `bulwark.lock` names the holder in plain text. The actual lock is the operating system's, which ends with its
 * process: a killed one leaves no stale lock, two starting processes cannot both get it, and it works across
 * containers, where process ids mean nothing. Node reaches such a lock through SQLite, which takes one
 * on `bulwark.lock.db` and writes nothing. Never open that file elsewhere: closing it would release the lock.
 */
export async function holdDataDirectory(directory: string): Promise<AsyncDisposable> {
  await makeDirectory(directory);
  const note = join(directory, 'bulwark.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(directory, 'bulwark.lock.db'), { timeout: 0 });
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    writeFileSync(note, `pid ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`);
  } catch (error) {
    lock?.close();
    if (isBusy(error))
      throw new StartupError(
        `The data directory ${directory} is in use by ${holder(note)}. Stop it, or set BULWARK_DATA_DIR to another directory.`,
        { cause: error },
      );
    throw unusable(directory, 'cannot be locked', error);
  }
  const held = lock;
  return {
    async [Symbol.asyncDispose]() {
      await rm(note, { force: true });
      held.close();
    },
  };
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw unusable(directory, 'cannot be made', error);
  }
}

const unusable = (directory: string, what: string, cause: unknown): StartupError => {
  const problem = systemProblem(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new StartupError(
    `The data directory ${directory} ${what}: ${problem}, or set BULWARK_DATA_DIR to another directory.`,
    { cause },
  );
};

/** SQLITE_BUSY is 5; the upper bits of an extended code are the variant. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;

function holder(note: string): string {
  try {
    return `another process (${readFileSync(note, 'utf8').trim()})`;
  } catch {
    return 'another process';
  }
}
