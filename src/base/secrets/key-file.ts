import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors.ts';
import { systemProblem } from '../system-problem.ts';

/**
 * A secret of 32 random bytes (base64url) in `<dataDir>/secrets/<name>`, created once and readable only by its owner.
 * Processes that start at the same time get the same one.
 */
export async function keyFile(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, 'secrets', name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartupError(`The secret in ${path} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
  }
  try {
    return await makeKeyFile(path);
  } catch (error) {
    throw new StartupError(
      `The secret in ${path} cannot be written: ${systemProblem(error) ?? (error as Error).message}, or set BULWARK_DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

async function makeKeyFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  // A hard link is atomic and never overwrites one that another process created first.
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  return (await readFile(path, 'utf8')).trim();
}
