/** `multipart/form-data` bodies, read into memory: for forms with small files. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import { AppError, badRequest } from '../errors.ts';

/** Accepts forms of up to `limitBytes`. */
export function acceptForms(app: FastifyInstance, limitBytes: number): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: limitBytes },
    async (request: { headers: { 'content-type'?: string | undefined } }, body: string | Buffer) => {
      const type = request.headers['content-type'] ?? '';
      try {
        // Use the runtime's form parser, the one that `fetch` uses.
        return await new Response(body, { headers: { 'content-type': type } }).formData();
      } catch (cause) {
        throw badRequest(
          'The body is not a form that can be read; check the boundary in Content-Type.',
          cause,
        );
      }
    },
  );
}

const unsupported = (detail: string) => new AppError(415, 'unsupported_media_type', detail);

/** The body for the operation's schema: for a form, an object of its fields. */
export function formFields(operation: Operation, body: unknown): unknown {
  if (!operation.form) {
    if (body instanceof FormData || body instanceof Readable)
      throw unsupported('Send the body as JSON, with Content-Type: application/json.');
    return body;
  }
  if (!(body instanceof FormData))
    throw unsupported('Send the body as a form, with Content-Type: multipart/form-data.');
  const shape = operation.body instanceof z.ZodObject ? operation.body.shape : {};
  return Object.fromEntries(
    [...new Set(body.keys())].map((name) => [
      name,
      shape[name] instanceof z.ZodArray ? body.getAll(name) : body.get(name),
    ]),
  );
}
