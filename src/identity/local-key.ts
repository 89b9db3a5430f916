import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Caller } from './caller.ts';
import { hashOfKey, type ApiKeys } from './api-keys/api-keys.ts';
import { findApiKeyByHash } from './api-keys/store.ts';

export interface LocalKeyDeps {
  db: Queries;
  clock: Clock;
  apiKeys: ApiKeys;
  dataDir: string;
}

/**
 * An API key of `owner` in `<dataDir>/secrets/local-api-key`, readable by its owner alone, so that a person on this
 * machine can make a first call without copying a secret. A key that was deleted or has expired is replaced by a new one.
 * @returns the file's path.
 */
export async function ensureLocalKey(
  owner: Caller,
  { db, clock, apiKeys, dataDir }: LocalKeyDeps,
): Promise<string> {
  const path = join(dataDir, 'secrets', 'local-api-key');
  const present = await readFile(path, 'utf8').catch(() => '');
  const kept = present === '' ? undefined : await findApiKeyByHash(db, hashOfKey(present.trim()));
  const lives =
    kept?.userId === owner.userId && (kept.expiresAt === null || kept.expiresAt.getTime() > clock.now());
  if (lives) return path;
  const { key } = await apiKeys.create(
    { caller: owner },
    { name: 'local command line', scope: 'all', expiresAt: undefined },
  );
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${key}\n`, { mode: 0o600, flush: true });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
  return path;
}
