/** Reads a `multipart/form-data` body as it arrives: files are written to a temporary folder, texts are kept. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, badRequest } from '../errors.ts';
import { tooLarge } from './errors.ts';

export interface ReadForm {
  /** Contents of its files are read from disk each time they are asked for. */
  readonly fields: FormData;
  /** Deletes the files. */
  readonly remove: () => Promise<void>;
}

/** Texts are held in memory, unlike files. */
const longestText = 10 * 1024 * 1024;
const mostParts = 1000;
/** What a form may have around its largest file: boundaries, heads of parts, short texts. */
export const formOverheadBytes = 64 * 1024;

const unreadable = (cause?: unknown) =>
  badRequest('The body is not a form that can be read; check the boundary in Content-Type.', cause);

class FormReader {
  readonly #limitBytes: number;
  readonly #parts: Promise<[name: string, value: string | File]>[] = [];
  /** Ends what is still written: files whose end will not come. */
  readonly #gone = new AbortController();
  #folder: Promise<string> | undefined;
  #refused: AppError | undefined;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  async read(payload: Readable, headers: IncomingHttpHeaders): Promise<FormData> {
    const parser = this.#parser(headers);
    await pipeline(payload, this.#limited.bind(this), parser).catch((error: unknown) => {
      throw error instanceof AppError ? error : unreadable(error);
    });
    if (this.#refused !== undefined) throw this.#refused;
    const fields = new FormData();
    for (const [name, value] of await Promise.all(this.#parts)) fields.append(name, value);
    return fields;
  }

  async remove(): Promise<void> {
    this.#gone.abort();
    await Promise.allSettled(this.#parts);
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }

  #parser(headers: IncomingHttpHeaders): BusboyInstance {
    const type = headers['content-type'] ?? '';
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': type },
        limits: { fieldSize: longestText, parts: mostParts, headerPairs: 100 },
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      });
    } catch (cause) {
      throw unreadable(cause);
    }
    parser.on('field', (name, text, _nameCut, isCut) => {
      if (isCut) this.#refused = tooLarge(this.#limitBytes);
      this.#parts.push(Promise.resolve([name, text]));
    });
    parser.on('file', (name, content, fileName, _encoding, mediaType) => {
      const part = this.#spool(name, content, fileName, mediaType);
      // The parser tells an end that is missing also after the file was given up.
      content.on('error', () => undefined);
      // It is awaited when the whole form has arrived.
      part.catch(() => undefined);
      this.#parts.push(part);
    });
    parser.on('partsLimit', () => {
      this.#refused = badRequest(`The form has more than ${mostParts} parts.`);
    });
    return parser;
  }

  async *#limited(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > this.#limitBytes + formOverheadBytes) throw tooLarge(this.#limitBytes);
      yield chunk;
    }
  }

  async #spool(name: string, content: Readable, fileName: string, type: string): Promise<[string, File]> {
    const at = this.#parts.length;
    this.#folder ??= mkdtemp(join(tmpdir(), 'bulwark-form-'));
    const path = join(await this.#folder, String(at));
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
      signal: this.#gone.signal,
    });
    const file = new File([await openAsBlob(path, { type })], fileName, { type });
    if (file.size > this.#limitBytes) throw tooLarge(this.#limitBytes);
    return [name, file];
  }
}

/**
 * Reads a form whose files have at most `limitBytes` each, and that has little more. Remove its files once it has been dealt with.
 * @throws AppError 413; 400 for a form that cannot be read, of which nothing is left then
 */
export async function readForm(
  payload: Readable,
  headers: IncomingHttpHeaders,
  limitBytes: number,
): Promise<ReadForm> {
  if (Number(headers['content-length']) > limitBytes + formOverheadBytes) throw tooLarge(limitBytes);
  const reader = new FormReader(limitBytes);
  try {
    return { fields: await reader.read(payload, headers), remove: () => reader.remove() };
  } catch (error) {
    await reader.remove();
    throw error;
  }
}
