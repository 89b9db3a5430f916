/** `multipart/form-data` bodies: files go to disk while they arrive, so that no upload is held in memory. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import { invalid } from '../errors.ts';
import { unsupportedType } from './errors.ts';
import { readForm, type ReadForm } from './read-form.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The files of the form, until the response has been sent. */
    spooledForm?: ReadForm;
  }
}

/** Accepts forms with files of up to `limitBytes`; their files exist until the response has been sent. */
export function acceptForms(app: FastifyInstance, limitBytes: number): void {
  app.decorateRequest('spooledForm');
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const form = await readForm(payload, request.headers, limitBytes);
      request.spooledForm = form;
      return form.fields;
    },
  );
  app.addHook('onResponse', async ({ spooledForm }) => spooledForm?.remove());
}

/** The body for the operation's schema: for a form, an object of its fields. */
export function formFields(operation: Operation, body: unknown): unknown {
  if (!operation.form) {
    if (body instanceof FormData || body instanceof Readable) throw unsupportedType(false);
    return body;
  }
  if (!(body instanceof FormData)) throw unsupportedType(true);
  const shape = operation.body instanceof z.ZodObject ? operation.body.shape : {};
  return Object.fromEntries(
    [...new Set(body.keys())].map((name) => {
      const given = body.getAll(name);
      if (shape[name] instanceof z.ZodArray) return [name, given];
      if (name in shape && given.length > 1)
        throw invalid(`'${name}' stands ${given.length} times in the form; send it once.`);
      return [name, given[0]];
    }),
  );
}
