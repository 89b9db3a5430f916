import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { defineTool, type Environment, ToolError } from './environment.ts';
import { EnvironmentInstance } from './instance.ts';
import { EnvironmentState, type StateBlueprint } from './state.ts';

const blueprint: StateBlueprint = {
  id: 'sample',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE plain (id TEXT PRIMARY KEY, label TEXT, amount REAL, total INTEGER) STRICT;
    CREATE TABLE pairs (first TEXT, second INTEGER, note TEXT, data BLOB, PRIMARY KEY (first, second)) STRICT;
  `,
  seed: (state) => {
    state.insert('plain', { id: 'a', label: 'one', amount: 1.5, total: null });
    state.insert('plain', { id: 'b', label: 'two', amount: null, total: 2 });
    state.insert('pairs', { first: 'x', second: 1, note: 'n' });
    state.insert('pairs', { first: 'x', second: 2, note: null });
  },
};
const template = EnvironmentState.template(blueprint);
const started = (seed = 'seed', additions = {}) =>
  EnvironmentState.start(blueprint, template, seed, additions);

test('Changes have all columns, with nulls, fractions, negative and long numbers', () => {
  const state = started();
  state.run('UPDATE plain SET total = -7, label = NULL WHERE id = ?', 'a');
  state.run('DELETE FROM plain WHERE id = ?', 'b');
  state.insert('plain', { id: 'c', label: 'ä'.repeat(300), amount: -0.25, total: 2 ** 45 });
  const changes = state.changes().sort((one, other) => one.op.localeCompare(other.op));
  assert.deepEqual(changes, [
    {
      table: 'plain',
      op: 'added',
      after: { id: 'c', label: 'ä'.repeat(300), amount: -0.25, total: 2 ** 45 },
    },
    { table: 'plain', op: 'removed', before: { id: 'b', label: 'two', amount: null, total: 2 } },
    {
      table: 'plain',
      op: 'updated',
      before: { id: 'a', label: 'one', amount: 1.5, total: null },
      after: { id: 'a', label: null, amount: 1.5, total: -7 },
    },
  ]);
});

test('Keys of several columns are told apart', () => {
  const state = started();
  state.run('UPDATE pairs SET note = ? WHERE first = ? AND second = ?', 'new', 'x', 2);
  assert.deepEqual(state.changes(), [
    {
      table: 'pairs',
      op: 'updated',
      before: { first: 'x', second: 2, note: null, data: null },
      after: { first: 'x', second: 2, note: 'new', data: null },
    },
  ]);
});

test('Binary values do not disturb the values after them', () => {
  const state = started();
  state.run(`UPDATE pairs SET data = x'00ff54', note = 'after' WHERE second = 1`);
  state.run(`UPDATE plain SET label = 'z' WHERE id = 'b'`);
  const changes = state.changes();
  assert.equal(changes.find(({ table }) => table === 'pairs')?.after?.note, 'after');
  assert.equal(changes.find(({ table }) => table === 'plain')?.after?.label, 'z');
});

test('A row whose key changes is one that is removed and one that is added', () => {
  const state = started();
  state.run(`UPDATE plain SET id = 'moved' WHERE id = 'a'`);
  assert.deepEqual(
    state
      .changes()
      .map(({ op, before, after }) => [op, before?.id ?? after?.id])
      .sort((one, other) => String(one[0]).localeCompare(String(other[0]))),
    [
      ['added', 'moved'],
      ['removed', 'a'],
    ],
  );
});

test('What is changed back is no change, and rows that a session starts with are none', () => {
  const state = started('seed', {
    plain: [
      { id: 'a', label: 'given' },
      { id: 'new', label: 'given' },
    ],
  });
  assert.deepEqual(state.changes(), []);
  assert.equal(state.get('SELECT amount FROM plain WHERE id = ?', 'a')?.amount, 1.5);
  state.run(`UPDATE plain SET label = 'other' WHERE id = 'a'`);
  state.run(`UPDATE plain SET label = 'given' WHERE id = 'a'`);
  assert.deepEqual(state.changes(), []);
});

test('Equal seeds give equal ids and times, different seeds different ids', () => {
  const ids = (seed: string) => {
    const state = started(seed);
    state.tick();
    return [state.newId('row'), state.newId('row'), state.now()];
  };
  assert.deepEqual(ids('one'), ids('one'));
  assert.notEqual(ids('one')[0], ids('two')[0]);
  assert.notEqual(ids('one')[0], ids('one')[1]);
});

test('Sessions do not see each other', () => {
  const [one, other] = [started(), started()];
  one.run('DELETE FROM plain');
  assert.equal(other.all('SELECT * FROM plain').length, 2);
  assert.deepEqual(other.changes(), []);
});

const environment: Environment = {
  ...blueprint,
  domain: 'workflow',
  title: 'Sample',
  description: 'For tests.',
  sinks: [],
  strangersTexts: [],
  tools: [
    defineTool({
      name: 'change',
      description: 'Changes a row, then fails if asked to.',
      input: z.object({ fail: z.enum(['no', 'told', 'crash']), label: z.string().max(5) }),
      run: ({ fail, label }, state) => {
        state.run('UPDATE plain SET label = ?', label);
        if (fail === 'told') throw new ToolError('This cannot be done.');
        if (fail === 'crash') throw new TypeError('a bug');
        return { label, long: 'x'.repeat(50_000) };
      },
    }),
  ],
};

test('A tool call that fails changes nothing', () => {
  const instance = new EnvironmentInstance(environment);
  assert.deepEqual(instance.call('change', { fail: 'told', label: 'new' }), {
    text: 'This cannot be done.',
    isError: true,
  });
  assert.throws(() => instance.call('change', { fail: 'crash', label: 'new' }), TypeError);
  assert.deepEqual(instance.changes(), []);
});

test('Mistakes in arguments are named, unknown tools are told, long answers are cut', () => {
  const instance = new EnvironmentInstance(environment);
  const wrong = instance.call('change', { fail: 'no', label: 'too long' });
  assert.ok(wrong.isError && wrong.text.includes('label:'), wrong.text);
  assert.match(instance.call('other', {}).text, /no tool "other"/);
  const long = instance.call('change', { fail: 'no', label: 'new' });
  assert.ok(!long.isError && long.text.length < 41_000 && long.text.includes('[cut:'));
});

test('Sessions with the same calls are equal to the byte', () => {
  const instance = new EnvironmentInstance(environment);
  const outcome = () => {
    instance.reset('same');
    return JSON.stringify([instance.call('change', { fail: 'no', label: 'new' }), instance.changes()]);
  };
  assert.equal(outcome(), outcome());
});
