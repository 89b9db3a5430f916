import { constants } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Objects } from './objects.ts';

async function sync(path: string): Promise<void> {
  await using file = await open(path, constants.O_RDONLY);
  await file.sync();
}

/** Stores objects as files, spread over subfolders by the last characters of their random ids. */
export function folderObjects(folder: string): Objects {
  const placeOf = (id: string) => join(folder, id.slice(-2), id);
  return {
    async write(id, file) {
      const place = placeOf(id);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      try {
        await rename(file, place);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        // The folder of incomplete files is on another disk. No reader looks before the row is marked ready.
        await copyFile(file, place);
        await sync(place);
      }
      // Sync the folder as well, so that the name survives a power cut.
      await sync(dirname(place));
    },
    async read(id, range): Promise<Readable | undefined> {
      const file = await open(placeOf(id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (file === undefined) return undefined;
      return file.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
    },
    remove: (id) => rm(placeOf(id), { force: true }),
  };
}
