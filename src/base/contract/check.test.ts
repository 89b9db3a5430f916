import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { checkInput } from './check.ts';

const refusal = (schema: z.ZodType, input: unknown): AppError => {
  try {
    checkInput(schema, input, 'body');
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error;
  }
  return assert.fail('It was accepted.');
};

test('fields that are not known are named, a few of many', () => {
  const schema = z.strictObject({ name: z.string() });
  assert.equal(refusal(schema, { name: 'a', nmae: 1 }).message, 'The body must not have the field "nmae".');
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`${'x'.repeat(90)}${at}`, 1]));
  const { message, status } = refusal(schema, { name: 'a', ...many });
  assert.equal(status, 422);
  assert.match(message, /^The body must not have the fields "x{80}", .* and 99995 more\.$/);
  assert.ok(message.length < 600, `${message.length}`);
});

test('a list in a list with many wrong items is refused', () => {
  const schema = z.object({ rows: z.array(z.array(z.string())) });
  const { status, message } = refusal(schema, { rows: [Array.from({ length: 300_000 }, () => 1)] });
  assert.equal(status, 422);
  assert.ok(message.length < 600, message.slice(0, 200));
});
