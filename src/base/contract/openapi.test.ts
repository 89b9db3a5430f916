import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { queryInteger } from './fields.ts';
import { toOpenApiDocument } from './openapi.ts';
import { defineOperation } from './operation.ts';

const Book = z
  .object({ title: z.string().min(1).meta({ description: 'As on its cover.' }) })
  .meta({ id: 'Book' });
const operations = {
  listBooks: defineOperation({
    method: 'GET',
    path: '/books',
    tag: 'books',
    summary: 'The books',
    access: 'jwt_or_key',
    query: z.object({ limit: queryInteger({ min: 1, max: 50, preset: 10 }) }),
    response: z.object({ books: z.array(Book), total: z.number().int() }),
  }),
  addBook: defineOperation({
    method: 'POST',
    path: '/shelves/{shelf_id}/books',
    tag: 'books',
    summary: 'Add a book',
    access: 'jwt',
    params: z.object({ shelf_id: z.string() }),
    body: Book,
    status: 201,
    response: Book,
    errors: [409],
  }),
  lendBook: defineOperation({
    method: 'DELETE',
    path: '/books/{book_id}',
    tag: 'books',
    summary: 'Lend a book',
    access: 'public',
    params: z.object({ book_id: z.coerce.number().int() }),
    headers: z.object({ 'X-Reader': z.string() }),
    response: z.object({}),
  }),
};
const document = toOpenApiDocument(operations, { title: 'Books', version: '1.0.0', description: 'Books.' });

test('an independent validator accepts the document', async () => {
  const result = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  assert.deepEqual([result.valid, result.errors], [true, undefined]);
});

test('each operation has its id, security, parameters and response statuses', () => {
  const list = document.paths?.['/books']?.get;
  assert.equal(list?.operationId, 'listBooks');
  assert.deepEqual(list?.security, [{ bearer: [] }, { apiKey: [] }]);
  assert.deepEqual(list?.parameters, [
    {
      in: 'query',
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    },
  ]);
  const add = document.paths?.['/shelves/{shelf_id}/books']?.post;
  assert.deepEqual(Object.keys(add?.responses ?? {}), [
    '201',
    '400',
    '401',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  assert.deepEqual(add?.responses?.['201'], {
    description: 'Success',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/BookOutput' } } },
  });
});

test('what is wrong in a path is 422, and a header that is missing 400, also where there is no body', () => {
  const lend = document.paths?.['/books/{book_id}']?.delete;
  assert.deepEqual(Object.keys(lend?.responses ?? {}), ['200', '400', '422', '429', '500', '503']);
});

test('each schema appears once in the document', () => {
  assert.deepEqual(Object.keys(document.components?.schemas ?? {}).sort(), ['Book', 'BookOutput', 'Error']);
});
