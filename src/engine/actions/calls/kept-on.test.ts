import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptOn } from './kept-on.ts';

test('what is kept on an object is found by it alone: not by copies, and not where something else is kept', () => {
  const [names, others] = [keptOn<object, string>(), keptOn<object, string>()];
  const step = Object.freeze({ role: 'agent' });
  assert.equal(names.get(step), undefined);
  names.set(step, 'first');
  names.set(step, 'second');
  assert.equal(names.get(step), 'second');
  assert.equal(names.get({ ...step }), undefined);
  assert.equal(names.get(structuredClone(step)), undefined);
  assert.equal(others.get(step), undefined);
  assert.deepEqual(Reflect.ownKeys(step), ['role']);
});
