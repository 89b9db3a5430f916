/** Bodies of rows that stand each for itself: lines of JSON or a JSON array, perhaps gzipped. One bad row spoils no other. */
import { Readable } from 'node:stream';
import { createGunzip, constants as zlib } from 'node:zlib';
import type { FastifyRequest, RequestPayload } from 'fastify';
import type { BodyRow } from '../contract/operation.ts';
import { AppError, badRequest } from '../errors.ts';
import { nestsTooDeep } from '../json-depth.ts';

const longestLine = 1024 * 1024;

const tooLarge = (limitBytes: number) =>
  new AppError(
    413,
    'too_large',
    `The body has more than ${limitBytes} bytes once unpacked. Send it in parts.`,
  );

const tooMany = (most: number) =>
  new AppError(
    413,
    'too_many_rows',
    `The body has more than ${most} rows. Those up to there were taken. Send the others in parts.`,
  );

export interface RowsLimits {
  /** Once unpacked. */
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Unpacks a gzipped body for a reader, which must count what comes out: a small body can become an endless one.
 * @throws AppError 415 for another encoding
 */
export function unpacked(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload;
  if (encoding !== 'gzip')
    throw new AppError(415, 'unsupported_media_type', 'Content-Encoding may be gzip, or left out.');
  const gunzip: RequestPayload = createGunzip({ finishFlush: zlib.Z_FINISH });
  let packed = 0;
  gunzip.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    gunzip.receivedEncodedLength = packed;
  });
  payload.on('error', (error) => (gunzip as Readable).destroy(error));
  payload.pipe(gunzip as unknown as NodeJS.WritableStream);
  return gunzip;
}

/**
 * The rows of the body, as many at a time as have arrived; empty lines are none.
 * @throws AppError 400 where the body is neither lines nor an array, or cannot be unpacked; 413 above the limits
 */
export async function* rowsOf(body: unknown, { bytes, rows: most }: RowsLimits): AsyncGenerator<BodyRow[]> {
  if (Array.isArray(body)) {
    if (body.length > most)
      throw new AppError(413, 'too_many_rows', `The body has more than ${most} rows. Send it in parts.`);
    yield (body as unknown[]).map((value, i) => ({ number: i + 1, value }));
    return;
  }
  if (!(body instanceof Readable))
    throw badRequest(
      'The body must be a JSON array (Content-Type: application/json) or lines of JSON (application/x-ndjson).',
    );
  let number = 0;
  for await (const lines of linesIn(body, bytes)) {
    const rows: BodyRow[] = [];
    for (const line of lines) if (line.trim() !== '') rows.push(readLine(line, (number += 1)));
    // What came before the limit is passed on, so that it is known what was taken.
    if (number > most) {
      yield rows.filter((row) => row.number <= most);
      throw tooMany(most);
    }
    yield rows;
  }
}

function readLine(line: string, number: number): BodyRow {
  if (line.length > longestLine) return { number, problem: 'the line is longer than 1 MiB' };
  if (nestsTooDeep(line)) return { number, problem: 'it nests too deep' };
  try {
    return { number, value: JSON.parse(line) as unknown };
  } catch {
    return { number, problem: 'it is not JSON' };
  }
}

/** With the empty lines after it: a small body unpacks to millions of them. */
const lineEnd = /\n\s*/;

async function* linesIn(body: Readable, limitBytes: number): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let size = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      const text = decoder.decode(chunk, { stream: true });
      // What has arrived of a long line is not searched again with each small piece of it.
      const lines = text.includes('\n') ? (rest + text).split(lineEnd) : [rest + text];
      rest = lines.pop() ?? '';
      yield lines;
      if (rest.length > longestLine)
        throw new AppError(413, 'too_large', 'A line of the body is longer than 1 MiB.');
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_') === true)
      throw badRequest('The body cannot be unpacked: it is not gzip, or damaged.', error);
    throw error;
  }
  yield [rest + decoder.decode()];
}
