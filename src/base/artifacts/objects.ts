import type { Readable } from 'node:stream';
import type { ByteRange } from './artifact.ts';

/** Storage of bytes by id. Objects are immutable; leftovers of a failed write are removed later. */
export interface Objects {
  /** Stores the bytes of a file; may move the file. */
  write(id: string, file: string, facts: { sizeBytes: number; sha256: string }): Promise<void>;
  /** Undefined if nothing is there. */
  read(id: string, range: ByteRange | undefined): Promise<Readable | undefined>;
  /** Succeeds if nothing is there. */
  remove(id: string): Promise<void>;
}
