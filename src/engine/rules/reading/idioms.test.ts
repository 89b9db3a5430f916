import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import { breaksForm } from '../matching/match-form.ts';
import { draftRule } from './draft.ts';
import { withoutIdioms } from './idioms.ts';

const cases: readonly (readonly [sentence: string, plain: string])[] = [
  ['The alarm must never be switched off.', 'The alarm must never be disabled.'],
  ['Never switch off the alarm.', 'Never disable the alarm.'],
  ['Servers must not be taken down at noon.', 'Servers must not be stopped at noon.'],
  ['Do not take down servers.', 'Do not stop servers.'],
  ['Nothing about the merger may be let out.', 'the merger must never be disclosed.'],
  ['Bids without a deposit are refused.', 'Never accept bids without a deposit.'],
  ['Prices may be cut, never raised.', 'Prices must never be raised.'],
  ['Withdrawals are off-limits.', 'Withdrawals are forbidden.'],
  ['The payroll folder is off limits.', 'The payroll folder must not be read, changed, shared or deleted.'],
];

test('idioms become plain words', () => {
  for (const [sentence, plain] of cases) assert.equal(withoutIdioms(sentence), plain);
});

test('a sentence without an idiom stays as it is', () => {
  for (const sentence of ['Never delete files.', 'Turn to a person first.', 'Orders are shipped on Mondays.'])
    assert.equal(withoutIdioms(sentence), sentence);
});

test('a long text takes no longer than its length', () => {
  const long = `nothing about ${'a '.repeat(2000)}may be`;
  assert.equal(withoutIdioms(long), long);
});

test('an idiom is also looked for as it is, in the names of tools', async () => {
  const reader = new ContextReader(await loadTextEngine());
  const breaks = (sentence: string, toolName: string, toolParams: Record<string, unknown>) => {
    const { rule } = draftRule(sentence);
    assert.ok(rule, sentence);
    const context = reader.read(
      [
        { role: 'user', content: 'Go on.' },
        { role: 'agent', toolName, toolParams },
      ],
      {},
    );
    assert.ok(context);
    return breaksForm({ context }, rule) !== undefined;
  };
  for (const [sentence, tool, params, expected] of [
    ['Never take down the staging cluster.', 'take_down_cluster', { env: 'staging' }, true],
    ['Never take down the staging cluster.', 'disable_cluster', { env: 'staging' }, true],
    ['Never take down the staging cluster.', 'delete_cluster', { env: 'staging' }, true],
    ['Never take down the staging cluster.', 'take_down_cluster', { env: 'test' }, false],
    ['Never take down the staging cluster.', 'get_cluster', { env: 'staging' }, false],
    ["Never let slip a pupil's grade.", 'let_slip_grade', { pupil: 'Kim', grade: 'A' }, true],
    ["Never let slip a pupil's grade.", 'set_grade', { pupil: 'Kim', grade: 'A' }, false],
    ['Do not hand over the keys of a flat.', 'handOverKeys', { flat: 4 }, true],
  ] as const)
    assert.equal(breaks(sentence, tool, params), expected, `${sentence} ${tool} ${JSON.stringify(params)}`);
});
