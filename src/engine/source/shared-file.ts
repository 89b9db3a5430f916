import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { decoded } from './parse/decoded.ts';
import type { SourceFile } from './types.ts';

/** How much of a project lies in memory as it is; what comes after it is packed. */
const plainBytes = 8_000_000;
/** Packing less than this costs more than it brings. */
const leastPacked = 2_000;

/** What is known of a file besides its name. */
export type Told = Pick<SourceFile, 'grammar' | 'isStarted'>;

/**
 * A file whose bytes threads share: a project of 100 MB lies in memory once, and not once in each thread. The text is
 * decoded whenever it is asked for, and never kept.
 */
export class SharedFile implements SourceFile {
  readonly path: string;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly isPacked: boolean;
  grammar?: NonNullable<SourceFile['grammar']>;
  isStarted?: true;

  constructor(path: string, bytes: Uint8Array<SharedArrayBuffer>, isPacked = false, told: Told = {}) {
    this.path = path;
    this.bytes = bytes;
    this.isPacked = isPacked;
    Object.assign(this, told);
  }

  /** With a copy of the bytes. */
  static of(
    path: string,
    bytes: Uint8Array,
    { isPacked = false, told = {} }: { isPacked?: boolean; told?: Told } = {},
  ): SharedFile {
    const kept = isPacked ? deflateRawSync(bytes, { level: 1 }) : bytes;
    const shared = new Uint8Array(new SharedArrayBuffer(kept.length));
    shared.set(kept);
    return new SharedFile(path, shared, isPacked, told);
  }

  get text(): string {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const kept = Buffer.from(buffer, byteOffset, byteLength);
    return decoded(this.isPacked ? inflateRawSync(kept) : kept);
  }
}

/** The files of a project, of which the first are kept as they are: only a large one takes the time to be packed. */
export class SharedFiles {
  readonly all: SharedFile[] = [];
  #bytes = 0;

  add(path: string, bytes: Uint8Array, told: Told = {}): void {
    this.#bytes += bytes.length;
    const isPacked = this.#bytes > plainBytes && bytes.length >= leastPacked;
    this.all.push(SharedFile.of(path, bytes, { isPacked, told }));
  }
}

/** As it can be given to a thread, where objects lose their class. */
export type SentFile = SourceFile | (Pick<SharedFile, 'path' | 'bytes' | 'isPacked'> & { told: Told });

/** Gives a file to a thread; one that is shared is not copied. */
export const sent = (file: SourceFile): SentFile =>
  file instanceof SharedFile
    ? { path: file.path, bytes: file.bytes, isPacked: file.isPacked, told: toldOf(file) }
    : file;

const toldOf = ({ grammar, isStarted }: SharedFile): Told => ({
  ...(grammar !== undefined && { grammar }),
  ...(isStarted !== undefined && { isStarted }),
});

/** The file again in the thread. */
export const received = (file: SentFile): SourceFile =>
  'bytes' in file ? new SharedFile(file.path, file.bytes, file.isPacked, file.told) : file;
