import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSetNames as namesOfEngine } from '#engine/model-scan/case.ts';
import { dataSetNames } from './names.ts';

// A contract is also loaded by browsers and imports no engine, so the list stands in both.
test('the contract and the engine name the same data sets, in the same order', () => {
  assert.deepEqual([...dataSetNames], [...namesOfEngine]);
});
