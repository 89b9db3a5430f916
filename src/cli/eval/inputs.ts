import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid } from '#base/errors.ts';

const isRowFile = (name: string) => /\.(jsonl|ndjson)(\.gz)?$/.test(name);

const rowFilesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && isRowFile(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();

/**
 * The files of rows that a path means: itself, or those of a folder in order of their names.
 * @throws AppError 422 when there is none
 */
export function filesOf(path: string): string[] {
  if (!existsSync(path)) throw invalid(`There is no file or folder ${path}.`);
  if (!statSync(path).isDirectory()) return [path];
  const files = rowFilesIn(path);
  if (files.length > 0) return files;
  const below = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && rowFilesIn(join(path, entry.name)).length > 0)
    .map(({ name }) => join(path, name));
  throw invalid(
    `${path} holds no .jsonl or .jsonl.gz file.${below.length > 0 ? ` Did you mean ${below.join(' or ')}?` : ''}`,
  );
}

/** What a set is called whose rows name no source. */
export const setNameOf = (file: string) => basename(file).replace(/\.(jsonl|ndjson)(\.gz)?$/, '');

/** A file while it is read: the counts grow, the hash is set at the end. */
export interface OpenedInput {
  path: string;
  bytes: number;
  bytesRead: number;
  /** Of the file's bytes on disk; undefined until it was read to its end. */
  sha256: string | undefined;
}

export const openInput = (path: string): OpenedInput => ({
  path,
  bytes: statSync(path).size,
  bytesRead: 0,
  sha256: undefined,
});

export interface Line {
  number: number;
  text: string;
  /** Why it cannot be read, where it cannot. */
  broken?: string;
}

/** A line beyond this is no row: kept out of memory. */
const mostCharacters = 16 * 1024 * 1024;

/** Cuts pieces of text into lines, in memory for one line. */
class LineCutter {
  #held = '';
  #tooLong = false;
  #number = 0;

  *push(piece: string): Generator<Line> {
    let from = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
      this.#hold(piece.slice(from, end));
      yield this.#take();
      from = end + 1;
    }
    this.#hold(piece.slice(from));
  }

  *end(): Generator<Line> {
    if (this.#held !== '' || this.#tooLong) yield this.#take();
  }

  get next(): number {
    return this.#number + 1;
  }

  #hold(part: string): void {
    if (this.#held.length + part.length > mostCharacters) this.#tooLong = true;
    this.#held = this.#tooLong ? '' : this.#held + part;
  }

  #take(): Line {
    this.#number++;
    const line: Line = this.#tooLong
      ? { number: this.#number, text: '', broken: 'the line is longer than 16 MB' }
      : { number: this.#number, text: this.#number === 1 ? this.#held.replace(/^\uFEFF/, '') : this.#held };
    this.#held = '';
    this.#tooLong = false;
    return line;
  }
}

/** The lines of a file, unpacked where it is gzip-compressed; a file that breaks off ends in a broken line. */
export async function* linesOf(input: OpenedInput): AsyncGenerator<Line> {
  const hash = createHash('sha256');
  const raw = createReadStream(input.path);
  raw.on('data', (chunk) => {
    hash.update(chunk);
    input.bytesRead += chunk.length;
  });
  const unpacked = pipeline(
    raw,
    input.path.endsWith('.gz') ? createGunzip() : new PassThrough(),
    // The reader below gets the error, too.
    () => undefined,
  );
  const decoder = new StringDecoder('utf8');
  const lines = new LineCutter();
  try {
    for await (const chunk of unpacked) yield* lines.push(decoder.write(chunk as Buffer));
    yield* lines.push(decoder.end());
    yield* lines.end();
    input.sha256 = hash.digest('hex');
  } catch (error) {
    yield {
      number: lines.next,
      text: '',
      broken: `the file cannot be read further: ${(error as Error).message}`,
    };
  }
}
