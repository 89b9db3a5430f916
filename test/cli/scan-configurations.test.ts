/** `bulwark scan` of clients' configurations: which servers they name, and what these see of the machine. */
import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { findSandbox } from '#base/processes/sandbox.ts';
import { folder, inFolder, run } from '../../src/cli/eval/fixtures/cli.ts';
import { listingServer } from '../../src/services/mcp-scan/fixtures/stdio-server.ts';

after(() => rm(folder, { recursive: true, force: true }));

const put = async (path: string, content: string) => {
  await mkdir(dirname(inFolder(path)), { recursive: true });
  await writeFile(inFolder(path), content);
};
const packages = join(import.meta.dirname, '../../node_modules');

interface Report {
  scans: { name: string; tools: { name: string }[]; notes: string[] }[];
  failed: { name: string; reason: string }[];
}

async function reportOf(name: string, content: unknown, env: Record<string, string> = {}): Promise<Report> {
  await put(name, typeof content === 'string' ? content : JSON.stringify(content));
  const { out, err } = await run(['scan', name, '--json', '-'], env);
  assert.doesNotMatch(err, /\n\s+at /);
  return JSON.parse(out) as Report;
}

test('a server in dist/ finds its packages: of npm, with its own node_modules, by a link of .bin, in a workspace', async (t) => {
  if ((await findSandbox()).kind === 'none') return t.skip('no sandbox can be made here');
  const importing = `import 'helper';\n${listingServer('own')}`;
  const manifest = (name: string) => JSON.stringify({ name, type: 'module', version: '1.0.0' });
  await put('own/package.json', manifest('own'));
  await put('own/dist/package.json', '{ "type": "module" }');
  await put('own/dist/index.js', importing);
  await put('own/node_modules/helper/package.json', manifest('helper'));
  await put('own/node_modules/helper/index.js', '');
  await put('all/packages/core/package.json', manifest('helper'));
  await put('all/packages/core/index.js', '');
  await put('all/packages/server/package.json', manifest('server'));
  await put('all/packages/server/dist/index.js', importing);
  await mkdir(inFolder('all/node_modules'), { recursive: true });
  await symlink('../packages/core', inFolder('all/node_modules/helper'));
  const { scans, failed } = await reportOf('npm.json', {
    mcpServers: {
      memory: {
        command: 'node',
        args: [join(packages, '@modelcontextprotocol/server-memory/dist/index.js')],
      },
      linked: { command: join(packages, '.bin/mcp-server-sequential-thinking') },
      own: { command: 'node', args: [inFolder('own/dist/index.js')] },
      relative: { command: 'node', args: ['own/dist/index.js'] },
      workspace: { command: 'node', args: [inFolder('all/packages/server/dist/index.js')] },
    },
  });
  assert.deepEqual(failed, []);
  assert.deepEqual(
    scans.map(({ name, tools }) => [name, tools.length > 0]),
    ['memory', 'linked', 'own', 'relative', 'workspace'].map((name) => [name, true]),
  );
});

test('no home is shown as a whole, and what is hidden or missing is said', async (t) => {
  if ((await findSandbox()).kind === 'none') return t.skip('no sandbox can be made here');
  const looking = listingServer('x').replace(
    "'x'",
    `require('node:fs').existsSync(${JSON.stringify(join(homedir(), '.'))}) && require('node:fs').readdirSync(${JSON.stringify(homedir())}).length > 0 ? 'sees' : 'blind'`,
  );
  await put('home/look.cjs', looking);
  const { scans, failed } = await reportOf('home.json', {
    mcpServers: {
      looks: { command: 'node', args: [inFolder('home/look.cjs'), homedir(), '/'] },
      gone: { command: 'node', args: ['/srv/none/index.js'] },
    },
  });
  assert.deepEqual(
    scans.map(({ tools }) => tools[0]?.name),
    ['blind'],
    JSON.stringify(failed),
  );
  assert.match(failed[0]?.reason ?? '', /There is no \/srv\/none\/index\.js on this machine/);
});
