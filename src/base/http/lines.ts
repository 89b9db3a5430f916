/** Bodies of lines of JSON (`application/x-ndjson`), read as they arrive. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { describeIssues } from '../contract/issues.ts';
import { AppError, badRequest, invalid } from '../errors.ts';

/** Lets the server hand bodies of lines to their operations unread. */
export function acceptLines(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-ndjson', (_request, body, done) => done(null, body));
}

const longestLine = 1024 * 1024;

/**
 * The values of the lines, checked, one by one; empty lines are none. What is left of the body when its reader stops
 * is not read.
 * @throws AppError 400 or 422 that names the line; 413 for one of more than a mebibyte.
 */
export async function* linesOf<T>(body: unknown, schema: z.ZodType<T>): AsyncGenerator<T> {
  if (!(body instanceof Readable))
    throw new AppError(
      415,
      'unsupported_media_type',
      'Send the body as lines of JSON, with Content-Type: application/x-ndjson.',
    );
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
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
