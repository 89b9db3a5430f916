/** Streamed JSON lines bodies (`application/x-ndjson`). */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { describeIssues } from '../contract/issues.ts';
import { AppError, badRequest, invalid } from '../errors.ts';

/** Passes such bodies to their operations as streams. */
export function acceptLines(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-ndjson', (_request, body, done) => done(null, body));
}

const longestLine = 1024 * 1024;

/**
 * Yields the validated values line by line; empty lines are skipped. If the reader stops early, the rest of the body
 * is not read.
 * @throws AppError 400 or 422 that names the line; 413 for one of more than a mebibyte.
 */
export async function* linesOf<T>(body: unknown, schema: z.ZodType<T>): AsyncGenerator<T> {
  if (!(body instanceof Readable))
    throw new AppError(
      415,
      'unsupported_media_type',
      'Send the body as JSON lines, with Content-Type: application/x-ndjson.',
    );
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const text = decoder.decode(chunk, { stream: true });
    // What has arrived of a long line is not searched again with each small piece of it.
    const lines = text.includes('\n') ? (rest + text).split('\n') : [rest + text];
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield read(line, ++number, schema);
    if (rest.length > longestLine)
      throw new AppError(
        413,
        'too_large',
        `Line ${number + 1} of the body is longer than 1 MiB. Send it in parts.`,
      );
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield read(rest, number + 1, schema);
}

function read<T>(line: string, number: number, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw badRequest(`Line ${number} of the body is not JSON.`, cause);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(`Line ${number}: ${describeIssues(result.error.issues, value, 'body')}`);
}
