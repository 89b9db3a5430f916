import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ArchiveBudget, ArchiveError, presetLimits, shown, type ArchiveLimits } from './archive-limits.ts';
import { readTar } from './read-tar.ts';
import { readZip, type PackedEntry } from './read-zip.ts';

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz';

/** A file's path, its bytes, or a stream (buffered in a temporary file). */
export type ArchiveSource = string | Uint8Array | Readable;

export interface ArchiveEntry {
  /** Relative, with `/`, without `.` and `..`; entries of nested archives are written `outer.zip!/file`. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** The content, checked while it is read; empty for a folder. Unread content is skipped. */
  readonly content: Readable;
}

export interface ReadArchiveOptions {
  readonly limits?: Partial<ArchiveLimits>;
  readonly signal?: AbortSignal;
  /** Levels of nested archives that are opened; deeper ones are refused. If omitted, archives are treated as files. */
  readonly nested?: number;
  /** Called for each link or device, which is then left out. If omitted, they refuse the archive. */
  readonly onLink?: (path: string) => void;
}

export interface ArchiveSummary {
  readonly format: ArchiveFormat;
  readonly entries: number;
  readonly unpackedBytes: number;
}

type Visit = (entry: ArchiveEntry) => Promise<void> | void;

const headBytes = 512;

function formatOf(head: Buffer): ArchiveFormat | undefined {
  const magic = head.toString('latin1', 0, 4);
  if (magic === 'PK\u0003\u0004' || magic === 'PK\u0005\u0006') return 'zip';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz';
  return head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined;
}

async function headOf(source: string | Buffer): Promise<Buffer> {
  if (typeof source !== 'string') return source.subarray(0, headBytes);
  await using file = await open(source);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}

const tooLarge = (packedBytes: number) =>
  new ArchiveError('too_large', `The archive has more than ${packedBytes} bytes.`);

/** Buffers a stream in a temporary file, which is deleted when the result is disposed. */
async function kept(stream: Readable, limitBytes: number): Promise<{ path: string } & AsyncDisposable> {
  const path = join(tmpdir(), `bulwark-archive-${randomUUID()}`);
  const remove = async () => rm(path, { force: true });
  let size = 0;
  try {
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > limitBytes) throw tooLarge(limitBytes);
          yield chunk;
        }
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/**
 * Reads a zip or tar archive (gzipped or not) entry by entry. All entries of a zip are checked before the first is
 * visited. An error thrown by the visitor stops reading.
 * @throws ArchiveError; the signal's reason; what the visitor throws
 */
export async function readArchive(
  source: ArchiveSource,
  visit: Visit,
  { limits, signal, nested, onLink }: ReadArchiveOptions = {},
): Promise<ArchiveSummary> {
  const budget = new ArchiveBudget({ ...presetLimits, ...limits });
  const format = await readInto(source, visit, { budget, signal, nested, onLink, prefix: '' });
  return { format, entries: budget.entries, unpackedBytes: budget.unpackedBytes };
}

interface Reading {
  readonly budget: ArchiveBudget;
  readonly signal: AbortSignal | undefined;
  readonly nested: number | undefined;
  readonly onLink: ((path: string) => void) | undefined;
  readonly prefix: string;
}

async function readInto(source: ArchiveSource, visit: Visit, reading: Reading): Promise<ArchiveFormat> {
  const { budget, signal, onLink } = reading;
  const { packedBytes } = budget.limits;
  signal?.throwIfAborted();
  if (source instanceof Readable) {
    await using file = await kept(source, packedBytes);
    return await readInto(file.path, visit, reading);
  }
  const place =
    typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const size = typeof place === 'string' ? (await stat(place)).size : place.length;
  if (size > packedBytes) throw tooLarge(packedBytes);
  const format = formatOf(await headOf(place));
  if (format === undefined)
    throw new ArchiveError('unknown_format', 'The file is neither a zip nor a tar archive.');
  const entries =
    format === 'zip'
      ? readZip(place, budget, onLink)
      : readTar(streamOf(place), format === 'tar.gz', budget, onLink);
  try {
    await visitAll(entries, visit, reading);
  } catch (error) {
    throw explained(error, signal);
  }
  return format;
}

async function visitAll(
  entries: AsyncIterable<PackedEntry>,
  visit: Visit,
  { nested, prefix, ...reading }: Reading,
): Promise<void> {
  for await (const entry of entries) {
    reading.signal?.throwIfAborted();
    const path = `${prefix}${entry.path}`;
    if (entry.path === '') continue;
    if (nested !== undefined && entry.kind === 'file' && isArchiveName(entry.path))
      await readNested(entry, visit, { ...reading, nested, prefix: path });
    else await visitOne(entry, path, visit, reading.signal);
  }
}

const isArchiveName = (path: string) => /\.(?:zip|jar|whl|vsix|mcpb|dxt|tar|tgz|tar\.gz)$/i.test(path);

async function readNested(
  entry: PackedEntry,
  visit: Visit,
  reading: Reading & { nested: number },
): Promise<void> {
  if (reading.nested < 1)
    throw new ArchiveError(
      'too_deep',
      `The archive ${shown(reading.prefix)} is nested too deeply in other archives.`,
      entry.path,
    );
  const content = await entry.open();
  await readInto(content, visit, {
    ...reading,
    nested: reading.nested - 1,
    prefix: `${reading.prefix}!/`,
  });
}

async function visitOne(
  entry: PackedEntry,
  path: string,
  visit: Visit,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { kind } = entry;
  const content = kind === 'folder' ? Readable.from([]) : await entry.open();
  const aborted = () => content.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', aborted);
  // The visitor may have stopped reading early; an invalid entry still fails the archive.
  let wrong: Error | undefined;
  content.on('error', (error) => (wrong = error));
  try {
    await visit({ path, kind, content });
    if (wrong !== undefined) throw wrong;
    if (!content.destroyed && !content.readableEnded) for await (const _chunk of content);
  } finally {
    signal?.removeEventListener('abort', aborted);
    content.destroy();
  }
}

const streamOf = (place: string | Buffer): Readable =>
  typeof place === 'string' ? createReadStream(place) : Readable.from(slices(place), { objectMode: false });

function* slices(bytes: Buffer): Generator<Buffer> {
  const step = 64 * 1024;
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

/** Maps errors: our own and the system's are kept, a library's means a broken archive. */
function explained(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true || !(error instanceof Error) || error instanceof ArchiveError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfLibrary =
    code?.startsWith('Z_') === true ||
    (code === undefined && /node_modules.(?:yauzl|tar-stream)\b/.test(error.stack ?? ''));
  return isOfLibrary
    ? new ArchiveError(
        'broken',
        `The archive is broken: ${message.slice(0, 200).replace(/\.$/, '')}.`,
        undefined,
        error,
      )
    : error;
}
