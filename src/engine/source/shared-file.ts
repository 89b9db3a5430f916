import type { SourceFile } from './types.ts';

/**
 * A file whose bytes threads share: a project of 100 MB lies in memory once, and not once in each thread. The text is
 * decoded whenever it is asked for, and never kept.
 */
export class SharedFile implements SourceFile {
  readonly path: string;
  readonly bytes: Uint8Array<SharedArrayBuffer>;

  constructor(path: string, bytes: Uint8Array<SharedArrayBuffer>) {
    this.path = path;
    this.bytes = bytes;
  }

  /** With a copy of the bytes. */
  static of(path: string, bytes: Uint8Array): SharedFile {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return new SharedFile(path, shared);
  }

  get text(): string {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  }
}

/** As it can be given to a thread, where objects lose their class. */
export type SentFile = SourceFile | Pick<SharedFile, 'path' | 'bytes'>;

/** Gives a file to a thread; one that is shared is not copied. */
export const sent = (file: SourceFile): SentFile =>
  file instanceof SharedFile ? { path: file.path, bytes: file.bytes } : file;

/** The file again in the thread. */
export const received = (file: SentFile): SourceFile =>
  'bytes' in file ? new SharedFile(file.path, file.bytes) : file;
