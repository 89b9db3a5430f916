import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  readArchive,
  type ArchiveSource,
  type ArchiveSummary,
  type ReadArchiveOptions,
} from './read-archive.ts';

/**
 * Unpacks an archive into a new folder. Files are world-readable and not executable; there are no links. On failure
 * everything unpacked so far is removed.
 * @throws as {@link readArchive}; the system's error if the folder exists already
 */
export async function extractArchive(
  source: ArchiveSource,
  folder: string,
  options: Omit<ReadArchiveOptions, 'nested'> = {},
): Promise<ArchiveSummary> {
  await mkdir(folder, { mode: 0o755 });
  try {
    return await readArchive(
      source,
      async ({ path, kind, content }) => {
        const place = join(folder, path);
        await mkdir(kind === 'folder' ? place : dirname(place), { recursive: true, mode: 0o755 });
        if (kind === 'file') await pipeline(content, createWriteStream(place, { flags: 'wx', mode: 0o644 }));
      },
      options,
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
