import type { Readable } from 'node:stream';
import type { ByteRange } from './artifact.ts';

/** Where bytes lie, by id. What it holds is never changed, and what a write that failed has left is removed later. */
export interface Objects {
  /** Takes the bytes of a file, which it may move away. */
  write(id: string, file: string, facts: { sizeBytes: number; sha256: string }): Promise<void>;
  read(id: string, range: ByteRange | undefined): Promise<Readable>;
  /** Also where there is nothing. */
  remove(id: string): Promise<void>;
}
