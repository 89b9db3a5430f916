import { constants } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Objects } from './objects.ts';

async function sync(path: string): Promise<void> {
  await using file = await open(path, constants.O_RDONLY);
  await file.sync();
}

/** Bytes in files of a folder, in subfolders by the end of their ids, which is random. */
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
        // The folder of unfinished files is on another disk. Nobody looks before the row says that it is ready.
        await copyFile(file, place);
        await sync(place);
      }
      // What was acknowledged survives a power cut, its name too.
      await sync(dirname(place));
    },
    async read(id, range): Promise<Readable> {
      const file = await open(placeOf(id));
      return file.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
    },
    remove: (id) => rm(placeOf(id), { force: true }),
  };
}
