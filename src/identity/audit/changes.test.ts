import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

test('only fields that differ are told, under their names on the wire, with null for what is not there', () => {
  const before = { maxTextLength: null, mode: 'enforce', groups: ['a'], redact: { email: true } };
  const after = { ...before, maxTextLength: 100, groups: ['a', 'b'], redact: { email: false } };
  assert.deepEqual(changesBetween(before, after), {
    max_text_length: { old: null, new: 100 },
    groups: { old: ['a'], new: ['a', 'b'] },
    redact: { old: '{"email":true}', new: '{"email":false}' },
  });
  assert.deepEqual(changesBetween(undefined, { name: 'x', gone: undefined }), {
    name: { old: null, new: 'x' },
  });
  assert.deepEqual(changesBetween(before, structuredClone(before)), {});
});

test('an entry stays small, and says what it leaves out', () => {
  const long = changesBetween({ text: 'x'.repeat(10_000) }, { text: Array.from({ length: 500 }, () => 'y') });
  assert.equal(long['text']?.old, `${'x'.repeat(300)}… (10000 characters)`);
  const items = long['text']?.new;
  assert.ok(Array.isArray(items));
  assert.deepEqual(items.slice(-2), ['y', '… and 480 more']);
  const lists = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`list ${i}`, Array.from({ length: 50 }, () => 'z'.repeat(1000))]),
  );
  const many = changesBetween(undefined, lists);
  assert.ok(JSON.stringify(many).length < 40_000);
  assert.equal(Object.keys(many).length - 1 + Number(many['more_changes']?.new), 200);
});
