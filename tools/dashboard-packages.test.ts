import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

test('each package of the dashboard is imported there', () => {
  const { dependencies } = JSON.parse(
    readFileSync(join(root, 'dashboard/packages/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  const sources = globSync('dashboard/{src/**/*.{ts,tsx,css},vite.config.ts}', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const unused = Object.keys(dependencies).filter(
    (name) => !sources.includes(`'${name}'`) && !sources.includes(`'${name}/`),
  );
  assert.deepEqual(unused, []);
});
