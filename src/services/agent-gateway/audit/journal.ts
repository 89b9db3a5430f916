/**
 * Entries of the audit log that are not in the database yet, in files beside an embedded database: what is written here
 * survives the end of the process, as a commit of that database does, at a hundredth of its cost. Power loss may take the
 * last seconds of either.
 */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { CallEntry } from './entry.ts';

interface Segment {
  readonly path: string;
  readonly file: number;
  size: number;
  /** Entries that the database does not have yet. */
  pending: number;
}

/** From here on a new file is begun, so that the old one can go when its entries are in the database. */
const segmentBytes = 4 * 1024 * 1024;
const suffix = '.jsonl';

/** One process uses a folder at a time, as with the embedded database. */
export class Journal implements Disposable {
  readonly #folder: string;
  readonly #segments = new WeakMap<CallEntry, Segment>();
  #active: Segment | undefined;
  #count = 0;

  /** @throws the error of the file system if the folder cannot be made */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /**
   * Entries that an earlier process left behind, file by file. Some may be in the database: the process may have ended
   * between its commit and the removal of the file, so insert only those that are missing.
   */
  *leftBehind(): Generator<{ readonly entries: readonly CallEntry[]; readonly remove: () => void }> {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(suffix));
    for (const name of names.toSorted()) {
      const path = join(this.#folder, name);
      yield { entries: entriesOf(readFileSync(path, 'utf8')), remove: () => rmSync(path, { force: true }) };
    }
  }

  /**
   * Returns when the entry would survive the end of the process.
   * @throws the error of the file system, such as a full disk
   */
  append(entry: CallEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    const bytes = Buffer.byteLength(line);
    const segment = this.#segmentFor(bytes);
    // At the end of what is complete: a line that was cut short by a full disk is overwritten by the next one.
    const written = writeSync(segment.file, line, segment.size);
    if (written < bytes) writeRest(segment, Buffer.from(line), written);
    segment.size += bytes;
    segment.pending += 1;
    this.#segments.set(entry, segment);
  }

  /** The database has the entries, or they are given up. */
  settled(entries: readonly CallEntry[]): void {
    const touched = new Set<Segment>();
    for (const entry of entries) {
      const segment = this.#segments.get(entry);
      if (segment === undefined || !this.#segments.delete(entry)) continue;
      segment.pending -= 1;
      touched.add(segment);
    }
    for (const segment of touched) if (segment.pending === 0) this.#empty(segment);
  }

  [Symbol.dispose](): void {
    const segment = this.#active;
    this.#active = undefined;
    if (segment === undefined) return;
    closeSync(segment.file);
    if (segment.pending === 0) rmSync(segment.path, { force: true });
  }

  #segmentFor(bytes: number): Segment {
    const active = this.#active;
    if (active !== undefined && active.size + bytes <= segmentBytes) return active;
    // Its entries are on their way to the database, which removes it.
    this.#count += 1;
    const path = join(this.#folder, `${Date.now()}-${process.pid}-${this.#count}${suffix}`);
    const next: Segment = { path, file: openSync(path, 'wx', 0o600), size: 0, pending: 0 };
    this.#active = next;
    if (active?.pending === 0) this.#empty(active);
    return next;
  }

  #empty(segment: Segment): void {
    if (segment === this.#active) {
      ftruncateSync(segment.file, 0);
      segment.size = 0;
      return;
    }
    closeSync(segment.file);
    rmSync(segment.path, { force: true });
  }
}

function writeRest({ file, size }: Segment, line: Buffer, from: number): void {
  for (let written = from; written < line.length;)
    written += writeSync(file, line, written, line.length - written, size + written);
}

/** Complete entries of a file; the last line may have been cut short by the end of the process. */
function entriesOf(text: string): CallEntry[] {
  const entries: CallEntry[] = [];
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as CallEntry & { at: string };
      entries.push({ ...entry, at: new Date(entry.at) });
    } catch {
      // Not answered either, since that comes after the whole line.
    }
  }
  return entries;
}
