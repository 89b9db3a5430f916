/** Reading and writing the files that a command names. */
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { invalid } from '#base/errors.ts';

/** @throws AppError 422 that names what the file is for. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(`The ${what} ${path} cannot be read: ${(cause as Error).message}`, cause);
  }
}

/** The same, or what comes through standard input where the path is `-`. */
export const readTextOrInput = async (path: string, what: string): Promise<string> =>
  path === '-' ? readAll(process.stdin) : readText(path, what);

/** @throws AppError 422 */
export function write(path: string, content: string): void {
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw invalid(`${path} cannot be written: ${(cause as Error).message}`, cause);
  }
}

/** A long run must not end with figures that cannot be kept. */
export function refuseUnwritable(path: string | undefined): void {
  if (path === undefined) return;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw invalid(`${path} cannot be written: there is no folder ${dirname(path)} to write to.`, cause);
  }
}
