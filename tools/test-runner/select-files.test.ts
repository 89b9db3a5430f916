import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseSense, selectFiles } from './select-files.ts';

const root = new URL('../..', import.meta.url).pathname;
const select = (suite: 'fast' | 'slow' | 'all' | 'browser', ...parts: string[]) =>
  selectFiles(root, { suite, parts });

test('each test file belongs to one suite, chosen by its folder', () => {
  const [fast, slow, browser] = [select('fast'), select('slow'), select('browser')];
  assert.equal(fast.includes('tools/test-runner/select-files.test.ts'), true);
  assert.equal(slow.includes('test/faults/kill-the-service.test.ts'), true);
  assert.deepEqual(select('all').toSorted(), [...fast, ...slow].toSorted());
  assert.equal(
    browser.every((file) => file.startsWith('test/e2e/')),
    true,
  );
  assert.equal(new Set([...fast, ...slow, ...browser]).size, fast.length + slow.length + browser.length);
});

test('part of a path selects files of both suites that need no browser', () => {
  assert.deepEqual(select('fast', 'kill-the-service', 'base/ids'), [
    'src/base/ids.test.ts',
    'test/faults/kill-the-service.test.ts',
  ]);
});

test('dependence on the database is detected from a file’s imports', () => {
  const dependsOnDatabase = databaseSense(root);
  for (const file of [
    'src/base/db/testing.test.ts',
    'src/identity/users/users.test.ts',
    'src/services/action-guard/contract.test.ts',
    'test/faults/kill-the-service.test.ts',
  ])
    assert.equal(dependsOnDatabase(file), true, file);
  for (const file of [
    'src/base/ids.test.ts',
    'src/engine/text/engine.test.ts',
    'src/base/log/plain.test.ts',
    // These choose their own PostgreSQL, independent of the selected database.
    'test/processes/policy-guard.test.ts',
  ])
    assert.equal(dependsOnDatabase(file), false, file);
});
