import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { capturedBy, isAnyTainted, signatureOfCaptured } from './captured.ts';
import type { Taint } from './taints.ts';
import { Scope } from './scope.ts';
import { type Value } from './value.ts';

const text = '(folder) => normal.startsWith(folder + sep)';
const closureIn = (around: Scope) => ({
  fn: { name: '', at: 0, end: text.length } as FunctionForm,
  module: { text } as SourceModule,
  around,
});
const input = (id: number, cleared: number): Value => ({
  taints: [{ source: { id }, cleared } as unknown as Taint],
});

test('a closure captures the variables around it that its text names, and none of the module', () => {
  const top = new Scope(undefined, new Map([['sep', { taints: [], constant: '/' }]]));
  const outer = new Scope(
    top,
    new Map([
      ['normal', input(1, 0)],
      ['other', input(2, 0)],
    ]),
  );
  const inner = new Scope(outer, new Map([['normal', input(1, 1)]]));
  const captured = capturedBy(closureIn(inner), top);
  assert.deepEqual(captured, [input(1, 1)]);
  assert.equal(isAnyTainted(captured), true);
  assert.equal(isAnyTainted(capturedBy(closureIn(top), top)), false);
});

test('calls of a closure are told apart by what is known of the variables that it captures', () => {
  const top = new Scope();
  const signature = (value: Value) =>
    signatureOfCaptured(capturedBy(closureIn(new Scope(top, new Map([['normal', value]]))), top));
  assert.equal(signature(input(1, 0)), signature(input(1, 0)));
  assert.notEqual(signature(input(1, 0)), signature(input(1, 1)));
  assert.notEqual(signature(input(1, 0)), signature({ taints: [] }));
});
