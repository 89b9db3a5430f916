import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { presetLimits } from './archive-limits.ts';
import { EntryPaths } from './entry-paths.ts';

export interface ZipWriter {
  /** The archive as a stream; read it while adding files. */
  readonly output: Readable;
  /**
   * Adds a file; resolves once it is fully written, so that files added in turn need the memory of one.
   * @throws ArchiveError if readers would refuse the path; the stream's error, which destroys the archive
   */
  add(path: string, content: Readable | string | Uint8Array, options?: { modified?: Date }): Promise<void>;
  /** Completes the archive. */
  end(): void;
}

/** Writes a zip archive of any size as a stream. */
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
