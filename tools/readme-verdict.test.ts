import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readmeWithVerdict } from './readme-verdict.ts';

test('the README shows the first verdict that the product gives: node tools/readme-verdict.ts writes it', async () => {
  const { current, stored } = await readmeWithVerdict();
  assert.equal(stored, current);
});
