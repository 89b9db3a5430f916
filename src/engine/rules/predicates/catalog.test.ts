import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForm } from '../check-form.ts';
import { allKinds, kindOf } from './catalog.ts';

test('each kind is found by its own name', () => {
  assert.ok(allKinds.length > 20);
  for (const kind of allKinds) assert.equal(kindOf(kind.is), kind);
});

test('names that every object has are no kinds', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'Action']) {
    assert.equal(kindOf(name), undefined, name);
    assert.ok('problem' in checkForm({ when: { is: name } }), name);
  }
});
