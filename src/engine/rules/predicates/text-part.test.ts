import { tryCases } from '../fixtures/try-cases.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusePart } from './text-part.ts';

const scale = 'Deny when it has in the text of "command" behind "--replicas" a number of more than 10.';
tryCases('only what stands right behind the mark counts', scale, [
  ['more', [['bash', { command: 'scale --replicas=11' }]], true],
  ['apart', [['bash', { command: 'scale --replicas 11' }]], true],
  ['as many', [['bash', { command: 'scale --replicas=10' }]], false],
  ['another number', [['bash', { command: 'scale --replicas=2 --timeout=90' }]], false],
  ['no number', [['bash', { command: 'scale --replicas=many' }]], false],
  ['another argument', [['bash', { other: 'scale --replicas=11' }]], false],
]);
test('a text without the part has nothing that could be missing', () => {
  assert.match(refusePart({ path: 'a', operator: 'empty' }) ?? '', /must not be `empty`/);
});
