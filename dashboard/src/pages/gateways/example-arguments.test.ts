import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleArguments } from './example-arguments.ts';

test('arguments begin with what the schema requires, by default, example, choice or type', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      depth: { type: 'integer', minimum: 1 },
      order: { enum: ['name', 'date'] },
      format: { type: 'string', default: 'text' },
      query: { type: 'string', examples: ['open invoices'] },
      deep: { type: ['boolean', 'null'] },
      tags: { type: 'array' },
      free: true,
      optional: { type: 'string' },
    },
    required: ['path', 'depth', 'order', 'format', 'query', 'deep', 'tags', 'free', 'unknown', 7],
  };
  assert.deepEqual(exampleArguments(schema), {
    path: '',
    depth: 1,
    order: 'name',
    format: 'text',
    query: 'open invoices',
    deep: false,
    tags: [],
    free: null,
    unknown: null,
  });
});

test('a schema that says nothing, or is none, begins with no arguments', () => {
  for (const schema of [{}, null, 'object', [], { required: 'path' }, { properties: [], required: [] }])
    assert.deepEqual(exampleArguments(schema), {});
});
