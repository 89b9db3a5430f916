/** Failing starts through the launcher: each exits with status 1 and a message on how to fix it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'bin/bulwark.mjs');
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulwark-starts-'));
});
const groups: number[] = [];
after(async () => {
  // Processes that a failed test left running.
  for (const pid of groups)
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  await rm(folder, { recursive: true });
});

const settings = (more: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BULWARK_'))),
  NODE_NO_WARNINGS: '1',
  BULWARK_DATA_DIR: join(folder, 'data'),
  BULWARK_ADMIN_PASSWORD: 'a password of the test',
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
  ...more,
});

/** The launcher's output and status; earlier versions waited here for ever. */
async function failedStart(
  env: Record<string, string>,
  [program, ...args] = [process.execPath, launcher, 'up'],
) {
  const child = spawn(program, args, {
    cwd: program === 'npm' ? root : folder,
    env: settings(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, err };
}

test('an invalid configuration fails the start with its reason', async () => {
  await writeFile(join(folder, 'broken.yaml'), 'port: {dashboard: [\n');
  const cases: [Record<string, string>, RegExp][] = [
    [{ BULWARK_DATABSE_URL: 'x' }, /BULWARK_DATABSE_URL is not a setting.*BULWARK_DATABASE_URL/],
    [{ BULWARK_JWT_SECRET: 'short' }, /BULWARK_JWT_SECRET must have at least 32 characters/],
    [{ BULWARK_CONFIG: 'broken.yaml' }, /The configuration file broken\.yaml cannot be read/],
    [{ BULWARK_CONFIG: 'none.yaml' }, /none\.yaml cannot be read/],
  ];
  for (const [env, reason] of cases) {
    const { code, err } = await failedStart(env);
    assert.equal(code, 1, err);
    assert.match(err, reason);
    assert.doesNotMatch(err, /\n\s+at /, 'no stack');
  }
});

test('npm start fails with the same reason', async () => {
  const { code, err } = await failedStart({ BULWARK_DATABSE_URL: 'x' }, ['npm', 'start', '--silent']);
  assert.equal(code, 1, err);
  assert.match(err, /BULWARK_DATABSE_URL is not a setting/);
});

test('a port in use, an unusable database or folder, and an open address without authentication fail the start', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const port = String((holder.address() as AddressInfo).port);
  const cases: [Record<string, string>, RegExp][] = [
    [{ BULWARK_PORT_DASHBOARD: port }, new RegExp(`Port ${port} .*BULWARK_PORT_DASHBOARD`)],
    [
      { BULWARK_DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/none' },
      /PostgreSQL at 127\.0\.0\.1:1, database none: nothing listens there\. Check BULWARK_DATABASE_URL/,
    ],
    [{ BULWARK_DATA_DIR: launcher }, /The data directory .* cannot be made: .*BULWARK_DATA_DIR/],
    [{ BULWARK_AUTH_ENABLED: 'false', BULWARK_HOST: '0.0.0.0' }, /Authentication is off and 0\.0\.0\.0/],
  ];
  try {
    for (const [env, reason] of cases) {
      const { code, err } = await failedStart(env);
      assert.equal(code, 1, err);
      assert.match(err, reason);
      assert.doesNotMatch(err, /\n\s+at |hidden-word/);
    }
  } finally {
    holder.close();
  }
});

test('a full disk fails the start and is named', async (t) => {
  const disk = join(folder, 'disk');
  const mounted = spawnSync('sh', ['-c', `mkdir "$0" && mount -t tmpfs -o size=10m tmpfs "$0"`, disk]);
  if (mounted.status !== 0) {
    t.skip('a small disk can be mounted by root only');
    return;
  }
  try {
    const { code, err } = await failedStart({ BULWARK_DATA_DIR: join(disk, 'data') });
    assert.equal(code, 1, err);
    assert.match(err, /does not start: no space is left on the disk; free some/);
  } finally {
    spawnSync('umount', [disk]);
  }
});

/** Starts all services in a process group of their own; resolves when they listen. */
async function started(command: string[]) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: settings({ BULWARK_DATA_DIR: join(folder, 'running') }),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  groups.push(child.pid ?? 0);
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (/-d '.*'\n/.test(printed)) break;
  }
  child.stdout.resume();
  return { pid: child.pid ?? 0, ended, url: /policy-guard\s+(\S+)/.exec(printed)?.[1] ?? '' };
}

const answers = async (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

test('one SIGTERM to npm, and one Ctrl-C for the whole process group, stop everything with status 0', async () => {
  const npm = await started(['npm', 'start', '--silent']);
  assert.equal(await answers(npm.url), true);
  process.kill(npm.pid, 'SIGTERM');
  await npm.ended;
  assert.equal(await answers(npm.url), false);

  const terminal = await started([process.execPath, launcher, 'up']);
  process.kill(-terminal.pid, 'SIGINT');
  assert.deepEqual(await terminal.ended, [0, null]);
  assert.equal(await answers(terminal.url), false);
});

test('a second signal ends the process at once, whatever is in progress', async () => {
  const running = await started([process.execPath, launcher, 'up']);
  const { hostname, port } = new URL(running.url);
  const client = connect(Number(port), hostname);
  client.on('error', () => undefined);
  // A request whose body is never completed: shutdown waits for it.
  client.write(
    'POST /api/topic_guard HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
  );
  await once(client, 'data');
  process.kill(running.pid, 'SIGTERM');
  while (await answers(running.url));
  const repeated = setInterval(() => process.kill(running.pid, 'SIGTERM'), 100);
  const [code] = await running.ended;
  clearInterval(repeated);
  client.destroy();
  assert.equal(code, 1);
});
