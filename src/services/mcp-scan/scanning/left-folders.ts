/** Temporary folders of scans that were interrupted by the end of their process. */
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ours = /^bulwark-(?:scan|form)-[A-Za-z0-9]{6}$/;
/** Longer than any scan may take; other processes of this machine may have folders that they still use. */
const longestScanMs = 25 * 3_600_000;

/** Removes folders that nobody can use any more, so that a process that is killed again and again fills no disk. */
export async function removeLeftFolders(nowMs: number, within: string = tmpdir()): Promise<void> {
  for (const name of (await readdir(within)).filter((each) => ours.test(each))) {
    const path = join(within, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && stats.mtimeMs < nowMs - longestScanMs)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
