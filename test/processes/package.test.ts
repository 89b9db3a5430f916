/** The npm package, installed into an empty folder and run from there, without the clone. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const folder = await mkdtemp(join(tmpdir(), 'bulwark-package-'));
/** The process group of the running program. */
let group: number | undefined;
after(async () => {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
  await rm(folder, { recursive: true });
});

/**
 * The environment contains nothing of the working copy, neither its settings nor its packages, only the Node that
 * runs this test. Settings that Node needs to reach the registry stay: without a network's certificates npm would
 * retry for minutes.
 */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:BULWARK_|npm_|NODE_(?!EXTRA_CA_CERTS$|USE_ENV_PROXY$))/.test(name),
    ),
  ),
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  BULWARK_LOG_LEVEL: 'silent',
  ...Object.fromEntries(
    [
      'DASHBOARD',
      'POLICY_GUARD',
      'POLICY_GUARD_GRPC',
      'ACTION_GUARD',
      'AGENT_GATEWAY',
      'SHADOW_AI',
      'MODEL_SCAN',
    ].map((name) => [`BULWARK_PORT_${name}`, '0']),
  ),
};

/** npm's output. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const child = spawn('npm', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  group = child.pid;
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  assert.equal(code, 0, err);
  return out;
}

test('the packed product serves its dashboard and a verdict from any folder, and writes nothing into its own files', async () => {
  const [packed] = JSON.parse(
    await npm(root, 'pack', '--json', '--loglevel=error', '--pack-destination', folder),
  ) as {
    filename: string;
    files: { path: string; mode: number }[];
  }[];
  assert.ok(packed);
  const paths = packed.files.map(({ path }) => path);
  assert.ok(paths.includes('dashboard/dist/index.html'), 'the dashboard is built');
  assert.deepEqual(
    paths.filter((path) => /\.test\.ts$|^data\/(?:pglite|secrets)|^test\/|\/fixtures\//.test(path)),
    [],
  );
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  // Without scripts: the only one that the package needs downloads Node 24, which is already here.
  await npm(
    folder,
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${packed.filename}`,
  );

  const child = spawn('npx', ['bulwark', 'up'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  group = child.pid;
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (/-d '.*'\n/.test(printed)) break;
  }
  child.stdout.resume();
  const addressOf = (name: string) => new RegExp(`${name}\\s+(http\\S+)`).exec(printed)?.[1] ?? '';
  const page = await fetch(addressOf('dashboard'), { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<script type="module"/);
  const verdict = await fetch(`${addressOf('policy-guard')}/api/topic_guard`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': (await readFile(join(folder, 'data/secrets/local-api-key'), 'utf8')).trim(),
    },
    body: JSON.stringify({ guard_uuid: /gd_[\w-]+/.exec(printed)?.[0], text: 'Good morning' }),
  });
  assert.equal(((await verdict.json()) as { flag: boolean }).flag, false);
  assert.equal(existsSync(join(folder, 'node_modules/bulwark/data/pglite')), false);

  const ended = once(child, 'close');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  group = undefined;
  await assert.rejects(fetch(addressOf('policy-guard')));
});
