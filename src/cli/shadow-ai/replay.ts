import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid } from '#base/errors.ts';
import type { ShadowAiService } from './open.ts';

const batchRows = 2000;
/** Refused rows that are printed. */
const mostNamed = 20;

export interface Replayed {
  accepted: number;
  rejected: { row: number; reason: string }[];
  rejected_total: number;
}

/** A file of JSON lines, perhaps gzipped (`.gz`), or standard input (`-`). */
function open(path: string): Readable {
  if (path === '-') return process.stdin;
  const file = createReadStream(path);
  if (!path.endsWith('.gz')) return file;
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  return file.pipe(unpacked);
}

/**
 * Sends the events of a file, a part at a time; sending it again changes nothing.
 * @throws AppError 422 where the file cannot be read
 */
export async function replay({ telemetry }: ShadowAiService, path: string): Promise<Replayed> {
  const total: Replayed = { accepted: 0, rejected: [], rejected_total: 0 };
  let batch: { line: number; row: object }[] = [];
  const refuse = (row: number, reason: string) => {
    total.rejected_total += 1;
    if (total.rejected.length < mostNamed) total.rejected.push({ row, reason });
  };
  const send = async () => {
    if (batch.length === 0) return;
    const sent = batch;
    batch = [];
    const answer = await telemetry.pushTelemetry({ body: sent.map(({ row }) => row) as never });
    total.accepted += answer.accepted;
    for (const { row, reason } of answer.rejected) refuse(sent[row - 1]?.line ?? row, reason);
    total.rejected_total += answer.rejected_total - answer.rejected.length;
  };
  let line = 0;
  try {
    for await (const text of createInterface({ input: open(path), crlfDelay: Infinity })) {
      line += 1;
      if (text.trim() === '') continue;
      const row = parsed(text);
      if (row === undefined) refuse(line, 'it is not a JSON object.');
      else batch.push({ line, row });
      if (batch.length >= batchRows) await send();
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^(?:E[A-Z]+|Z_)/.test(code)) throw cause;
    throw invalid(`${path} cannot be read: ${(cause as Error).message}`, cause);
  }
  await send();
  return total;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
