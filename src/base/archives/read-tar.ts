import { PassThrough, Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { ArchiveError, assertRatio, shown, type ArchiveBudget } from './archive-limits.ts';
import { EntryPaths } from './entry-paths.ts';
import type { PackedEntry } from './read-zip.ts';
import { guardTarHeaders } from './tar-headers.ts';

const isPlain = ({ type }: Header) => type === 'file' || type === 'contiguous-file' || type === 'directory';

function checkKind(header: Header): void {
  if (isPlain(header)) return;
  const { name, type } = header;
  throw new ArchiveError(
    'link',
    `The entry ${shown(name)} is a link or a device (${String(type)}), and only files and folders are accepted.`,
    name,
  );
}

/** Decompresses with a limit on the total output, including bytes that belong to no entry. */
function gunzip(packed: Readable, { limits }: ArchiveBudget): Readable {
  let packedBytes = 0;
  let unpackedBytes = 0;
  packed.on('data', (chunk: Buffer) => (packedBytes += chunk.length));
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpackedBytes += chunk.length;
      try {
        assertRatio(packedBytes, unpackedBytes, limits.ratio);
        // Allows for headers and padding: at most this much for each entry.
        if (unpackedBytes > limits.unpackedBytes + 2048 * limits.entries)
          throw new ArchiveError(
            'too_large',
            `The archive unpacks to more than ${limits.unpackedBytes} bytes.`,
          );
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return chained(packed, createGunzip(), checked);
}

/** Pipes the streams and returns the last; an error in any destroys all and surfaces on the last. */
function chained(first: Readable, ...rest: Transform[]): Readable {
  return rest.reduce<Readable>((from, to) => {
    from.once('error', (error) => to.destroy(error));
    to.once('close', () => from.destroy());
    return from.pipe(to);
  }, first);
}

/** The entries of a tar file, gzipped or not, in order: each must be read before the next. */
export async function* readTar(
  source: Readable,
  isGzip: boolean,
  budget: ArchiveBudget,
  onLink?: (path: string) => void,
): AsyncGenerator<PackedEntry> {
  const plain = chained(isGzip ? gunzip(source, budget) : source, guardTarHeaders());
  const tar = extract();
  plain.once('error', (error) => tar.destroy(error));
  plain.pipe(tar);
  const paths = new EntryPaths(budget.limits);
  try {
    for await (const entry of tar) {
      const { header } = entry;
      budget.countEntry();
      if (onLink !== undefined && !isPlain(header)) {
        onLink(header.name);
        entry.resume();
        continue;
      }
      checkKind(header);
      const isFile = header.type !== 'directory';
      const path = paths.add(header.name, isFile);
      let size = 0;
      const counted = new PassThrough({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          try {
            budget.countBytes(chunk.length, size, header.name);
            done(null, chunk);
          } catch (error) {
            done(error as Error);
          }
        },
      });
      let isOpen = false;
      yield {
        path,
        kind: isFile ? 'file' : 'folder',
        open: () => {
          isOpen = true;
          entry.once('error', (error: Error) => counted.destroy(error));
          entry.pipe(counted);
          return Promise.resolve(counted);
        },
      };
      if (!isOpen) entry.resume();
    }
  } finally {
    plain.destroy();
  }
}
