import { Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { ArchiveError, assertRatio, shown, type ArchiveBudget } from './archive-limits.ts';
import { EntryPaths } from './entry-paths.ts';

export interface PackedEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Opens the content; empty for a folder. */
  readonly open: () => Promise<Readable>;
}

const isFolder = (entry: Entry) => entry.fileName.endsWith('/');

/** A link or a device. */
function isLink({ externalFileAttributes }: Entry): boolean {
  // The upper 16 bits are the Unix mode (st_mode), whatever system the archive claims to come from.
  const type = (externalFileAttributes >>> 16) & 0o170000;
  return type !== 0 && type !== 0o100000 && type !== 0o040000;
}

function checkKind(entry: Entry): void {
  const { fileName, generalPurposeBitFlag, compressionMethod } = entry;
  if ((generalPurposeBitFlag & 0x41) !== 0)
    throw new ArchiveError('encrypted', `The entry ${shown(fileName)} is encrypted.`, fileName);
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw new ArchiveError(
      'broken',
      `The entry ${shown(fileName)} uses an unsupported compression method (${compressionMethod}).`,
      fileName,
    );
  if (isLink(entry))
    throw new ArchiveError(
      'link',
      `The entry ${shown(fileName)} is a link or a device, and only files and folders are accepted.`,
      fileName,
    );
  if (isFolder(entry) && entry.uncompressedSize > 0)
    throw new ArchiveError('broken', `The folder ${shown(fileName)} has content.`, fileName);
}

const localHeaderBytes = 30;

/** Refuses entries that share bytes: small zip bombs that unpack to petabytes reuse the same data. */
function checkOverlaps(entries: readonly Entry[]): void {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let freeFrom = 0;
  for (const { fileName, fileNameRaw, relativeOffsetOfLocalHeader: at, compressedSize } of ordered) {
    if (at < freeFrom)
      throw new ArchiveError(
        'overlap',
        `The entry ${shown(fileName)} overlaps with another entry.`,
        fileName,
      );
    freeFrom = at + localHeaderBytes + fileNameRaw.length + compressedSize;
  }
}

/** Checks size (against the budget) and checksum while the content is read. */
function checkedContent({ fileName, crc32: expected }: Entry, budget: ArchiveBudget): Transform {
  let size = 0;
  let checksum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      checksum = crc32(chunk, checksum);
      try {
        budget.countBytes(chunk.length, size, fileName);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      if (checksum === expected) done();
      else
        done(
          new ArchiveError('broken', `The entry ${shown(fileName)} does not match its checksum.`, fileName),
        );
    },
  });
}

async function listEntries(zip: ZipFile, budget: ArchiveBudget): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      budget.countEntry();
      entries.push(entry);
    }
  } catch (error) {
    // The library refuses some names before we see them.
    const found = /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)$/s.exec(
      (error as Error).message,
    );
    if (found?.[1] === undefined) throw error;
    const name = found[1];
    throw new ArchiveError('unsafe_path', `The entry ${shown(name)} points outside of the archive.`, name);
  }
  return entries;
}

/** The entries of a zip file, all checked before the first is yielded. */
export async function* readZip(
  source: string | Buffer,
  budget: ArchiveBudget,
  onLink?: (path: string) => void,
): AsyncGenerator<PackedEntry> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true };
  const zip = await (typeof source === 'string'
    ? openPromise(source, options)
    : fromBufferPromise(source, options));
  try {
    const { limits } = budget;
    if (zip.entryCount > limits.entries)
      throw new ArchiveError('too_many', `The archive has more than ${limits.entries} entries.`);
    const entries = await listEntries(zip, budget);
    const paths = new EntryPaths(limits);
    let claimed = 0;
    const kept = onLink === undefined ? entries : entries.filter((entry) => !isLink(entry));
    if (onLink !== undefined) for (const entry of entries) if (isLink(entry)) onLink(entry.fileName);
    const checked = kept.map((entry) => {
      checkKind(entry);
      assertRatio(entry.compressedSize, entry.uncompressedSize, limits.ratio, entry.fileName);
      claimed += entry.uncompressedSize;
      if (entry.uncompressedSize > limits.entryBytes || claimed > limits.unpackedBytes)
        throw new ArchiveError(
          'too_large',
          `The archive unpacks to more than the limit allows; it was reached in ${shown(entry.fileName)}.`,
          entry.fileName,
        );
      return { entry, path: paths.add(entry.fileName, !isFolder(entry)) };
    });
    checkOverlaps(entries);
    for (const { entry, path } of checked)
      yield {
        path,
        kind: isFolder(entry) ? 'folder' : 'file',
        open: async () => {
          const raw = await zip.openReadStreamPromise(entry);
          const content = checkedContent(entry, budget);
          raw.once('error', (error) => content.destroy(error));
          content.once('close', () => raw.destroy());
          return raw.pipe(content);
        },
      };
  } finally {
    zip.close();
  }
}
