import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceStep } from '#engine/actions/types.ts';
import { transcript } from './transcript.ts';

const call = (params: Record<string, unknown>, more: Partial<TraceStep> = {}): TraceStep => ({
  role: 'agent',
  action: 'Acts',
  toolName: 'send',
  toolParams: params,
  ...more,
});
const says = (content: string): TraceStep => ({ role: 'user', content });
const textOf = (steps: TraceStep[], fastMode = false) => JSON.stringify(transcript(steps, fastMode));

test('a short trace is shown whole, in order, up to the judged step', () => {
  const steps = [
    says('first'),
    call({ to: 'ann' }, { toolOutput: { mail: 'read me' } }),
    says('second'),
    call({ to: 'bob' }),
    says('later'),
  ];
  assert.deepEqual(transcript(steps, false), [
    { step: 1, role: 'user', says: 'first' },
    {
      step: 2,
      role: 'agent',
      does: 'Acts',
      tool: 'send',
      arguments: { to: 'ann' },
      answered: 'mail: read me',
    },
    { step: 3, role: 'user', says: 'second' },
    { step: 4, role: 'agent', does: 'Acts', tool: 'send', arguments: { to: 'bob' }, judged: true },
  ]);
  assert.deepEqual(transcript([says('nothing done')], false), []);
});

test('of a long trace the first and the last words of the user, the latest steps, and the judged one', () => {
  const steps = [says('the first wish'), says('the last wish')];
  for (let i = 0; i < 10_000; i++) steps.push(call({ i }, { toolOutput: 'x'.repeat(500) }));
  steps.push(call({ judged: 'here' }));
  const startedAt = performance.now();
  for (const [fastMode, limit] of [
    [false, 40_000],
    [true, 12_000],
  ] as const) {
    const text = textOf(steps, fastMode);
    assert.ok(text.length < limit, `${text.length}`);
    assert.match(text, /the last wish/);
    assert.equal(text.includes('the first wish'), !fastMode);
    assert.match(text, /"judged":"here"/);
    assert.ok(text.includes('"i":9999'));
  }
  assert.ok(performance.now() - startedAt < 5_000);
});

test('both ends of a long value are seen, whatever its shape', () => {
  const long = `begin${'x'.repeat(1_000_000)}finish`;
  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic['self'] = cyclic;
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, 'v'.repeat(1000)]));
  const text = textOf([says(long), call({ long, deep: { a: [{ b: 'c' }] } })]);
  assert.ok(text.length < 20_000);
  assert.equal(text.match(/begin/g)?.length, 2);
  assert.equal(text.match(/finish/g)?.length, 2);
  assert.match(text, /"deep":\{"a":\[\{"b":"c"\}\]\}/);
  assert.ok(textOf([call(many)]).length < 20_000);
  assert.match(textOf([call(cyclic)]), /name: loop/);
  let deep: Record<string, unknown> = { bottom: true };
  for (let i = 0; i < 20_000; i++) deep = { deep };
  assert.ok(textOf([call(deep)]).length < 20_000);
});
