import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { presetLimits } from './archive-limits.ts';
import { EntryPaths } from './entry-paths.ts';

export interface ZipWriter {
  /** The archive, to be read while it is written. */
  readonly output: Readable;
  /**
   * Adds a file; resolves when all of it went out, so that one after the other takes the memory of one.
   * @throws ArchiveError where readers would refuse the path; the stream's error, which ends the archive
   */
  add(path: string, content: Readable | string | Uint8Array, options?: { modified?: Date }): Promise<void>;
  /** No more comes. */
  end(): void;
}

/** A zip archive that is written as a stream, of any size. */
export function writeZip(): ZipWriter {
  const zip = new ZipFile();
  const paths = new EntryPaths(presetLimits);
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  return {
    output,
    async add(path, content, { modified = new Date() } = {}) {
      const name = paths.add(path, true);
      const stream = content instanceof Readable ? content : Readable.from([content], { objectMode: false });
      zip.addReadStream(stream, name, { mtime: modified, mode: 0o100644 });
      try {
        await once(stream, 'end');
      } catch (error) {
        output.destroy(error as Error);
        throw error;
      }
    },
    end: () => zip.end(),
  };
}
