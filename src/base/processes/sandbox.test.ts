import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { stubbornArgs } from './fixtures/stubborn.ts';
import { runProcess } from './run-process.ts';
import { findSandbox, type SandboxOptions } from './sandbox.ts';
import { startProcess, type ProcessOptions } from './start-process.ts';

const mebibyte = 1024 ** 2;
const kinds = ['bubblewrap', 'namespaces'] as const;
const limits = { memoryBytes: 256 * mebibyte, processes: 40, wallMs: 20_000, outputBytes: mebibyte };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulwark-sandbox-'));
  await writeFile(join(folder, 'secret'), 'the secret of the host');
  await chmod(folder, 0o755);
});
after(async () => rm(folder, { recursive: true }));

interface Hostile extends Partial<ProcessOptions> {
  readonly box?: Partial<SandboxOptions>;
}

/** Runs a Node program in each kind of sandbox that this machine supports. */
async function inEach(
  t: TestContext,
  code: string,
  check: (result: Awaited<ReturnType<typeof runProcess>>, text: string) => unknown,
  { box, ...options }: Hostile = {},
): Promise<void> {
  for (const kind of kinds)
    await t.test(kind, async (each) => {
      const found = await findSandbox(kind);
      if (found.kind === 'none') {
        each.skip(`this machine cannot make it: ${found.why}`);
        return;
      }
      const result = await runProcess({
        command: process.execPath,
        args: ['-e', code],
        limits,
        sandbox: { policy: 'required', kind, ...box },
        ...options,
      });
      each.diagnostic(`${result.message} ${Math.round(result.wallMs)} ms`);
      await check(result, result.stdout.toString());
    });
}

test('the sandbox exposes installed software and the given files, but nothing of the host, its users and their homes', (t) =>
  inEach(
    t,
    `const fs = require('node:fs');
     const tries = { home: () => fs.readdirSync(${JSON.stringify(homedir() === '/tmp' ? '/root' : homedir())}),
       secret: () => fs.readdirSync(${JSON.stringify(folder)}),
       shadow: () => fs.readFileSync('/etc/shadow'), root: () => fs.writeFileSync('/left-behind', 'x'),
       software: () => fs.writeFileSync('/usr/left-behind', 'x'), dev: () => fs.writeFileSync('/dev/left', 'x'),
       given: () => fs.writeFileSync('/given/left', 'x'), hidden: () => fs.readdirSync(${JSON.stringify(import.meta.dirname)}) };
     const can = Object.keys(tries).filter((name) => { try { tries[name](); return true } catch { return false } });
     const status = fs.readFileSync('/proc/self/status', 'utf8');
     console.log(JSON.stringify({ can, env: process.env, given: fs.readFileSync('/given/secret', 'utf8'), tmp: fs.readdirSync('/tmp'),
       processes: fs.readdirSync('/proc').filter((n) => /^[0-9]+$/.test(n)).length, cwd: process.cwd(),
       users: fs.readFileSync('/etc/passwd', 'utf8').split('\\n').length,
       caps: /CapEff:\\s+(\\w+)/.exec(status)[1], bounding: /CapBnd:\\s+(\\w+)/.exec(status)[1], newPrivileges: /NoNewPrivs:\\s+(\\d)/.exec(status)[1] }));`,
    (result, text) => {
      assert.equal(result.reason, 'exited', result.stderr);
      const told = JSON.parse(text) as Record<string, unknown>;
      assert.deepEqual(told['can'], []);
      assert.deepEqual(told['env'], {
        HOME: '/tmp',
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        TMPDIR: '/tmp',
        NAME: "it's $HOME `id`\nEOF \\",
        limit: '/bin/false',
      });
      assert.equal(told['given'], 'the secret of the host');
      // The running Node is visible, in otherwise empty folders of its path, wherever this checkout lies.
      const [, ownFolder] = /^\/tmp\/([^/]+)/.exec(realpathSync(process.execPath)) ?? [];
      assert.deepEqual(told['tmp'], ownFolder === undefined ? [] : [ownFolder]);
      assert.equal(told['cwd'], '/tmp');
      assert.ok(Number(told['processes']) <= 3);
      assert.equal(told['users'], 3);
      assert.match(String(told['caps']), /^0+$/);
      assert.match(String(told['bounding']), /^0+$/);
      assert.equal(told['newPrivileges'], '1');
    },
    {
      env: { NAME: "it's $HOME `id`\nEOF \\", limit: '/bin/false' },
      box: { mounts: [{ source: folder, target: '/given' }] },
    },
  ));

test('the network, loopback included, is reachable only when it is granted', async (t) => {
  const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const dial = `require('node:net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`;
  await inEach(t, dial, (_result, text) => assert.match(text, /^(ECONNREFUSED|ENETUNREACH)$/m));
  await inEach(t, dial, (_result, text) => assert.match(text, /^reached$/m), { box: { network: true } });
  server.close();
});

test('a fork bomb is limited and ended with a reason', (t) =>
  inEach(
    t,
    `require('node:child_process').spawn('/bin/sh', ['-c', 'while :; do sleep 100 & done'], { stdio: 'ignore' });
     setInterval(() => {}, 1000)`,
    ({ reason, message }) => {
      assert.equal(reason, 'processes');
      assert.equal(message, 'The program started more than 40 processes and was ended.');
    },
  ));

test('a program that fills memory is ended with a reason', (t) =>
  inEach(
    t,
    `const held = []; setInterval(() => held.push(Buffer.alloc(8 * 1024 ** 2, 1)), 20)`,
    ({ reason, message, peakMemoryBytes }) => {
      assert.equal(message, 'The program used more than 256 MiB of memory and was ended.');
      assert.equal(reason, 'memory');
      assert.ok(peakMemoryBytes < 1400 * mebibyte);
    },
  ));

test('a program that fills the disk is limited to its quota and uses no disk of the host', (t) =>
  inEach(
    t,
    `const fs = require('node:fs'); const chunk = Buffer.alloc(1024 ** 2, 1); const told = {};
     for (const folder of ['/tmp', '/dev/shm', '/var', '/']) {
       let n = 0;
       try { for (; n < 200; n++) fs.writeFileSync(folder + '/' + n, chunk) } catch (e) { told[folder] = [n, e.code] }
     }
     console.log(JSON.stringify(told))`,
    (_result, text) => {
      const told = JSON.parse(text) as Record<string, [number, string]>;
      assert.deepEqual(
        Object.entries(told).map(([name, [, code]]) => [name, code]),
        [
          ['/tmp', 'ENOSPC'],
          ['/dev/shm', 'ENOSPC'],
          ['/var', told['/var']![1]],
          ['/', 'EROFS'],
        ],
      );
      assert.ok(told['/tmp']![0] <= 8 && told['/dev/shm']![0] <= 16 && told['/var']![0] === 0);
    },
    { box: { tmpBytes: 8 * mebibyte } },
  ));

test('a large file, too much output, too much CPU time and a timeout each end the program with a reason', async (t) => {
  const bigFile = `require('node:fs').writeFileSync('/tmp/big', Buffer.alloc(8 * 1024 ** 2))`;
  // Node itself ignores the corresponding signal.
  await inEach(t, bigFile, ({ stderr, code }) => assert.ok(code === 1 && stderr.includes('EFBIG'), stderr), {
    limits: { ...limits, fileBytes: mebibyte },
  });
  await inEach(t, '', ({ reason }) => assert.equal(reason, 'file_size'), {
    command: 'dd',
    args: ['if=/dev/zero', 'of=/tmp/big', 'bs=1M', 'count=8'],
    limits: { ...limits, fileBytes: mebibyte },
  });
  const flood = `for (;;) require('node:fs').writeSync(Math.random() < 0.5 ? 1 : 2, 'x'.repeat(65536))`;
  await inEach(t, flood, ({ reason, stdout }) => {
    assert.equal(reason, 'output');
    assert.ok(stdout.length <= mebibyte);
  });
  await inEach(t, 'for (;;);', ({ reason }) => assert.equal(reason, 'cpu_time'), {
    limits: { ...limits, cpuMs: 500 },
  });
  await inEach(t, 'setInterval(() => {}, 1000)', ({ reason }) => assert.equal(reason, 'wall_time'), {
    limits: { ...limits, wallMs: 300 },
  });
});

/** Processes of this machine whose command line contains the word. */
async function running(word: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const line = await readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '');
    if (line.includes(word) && Number(name) !== process.pid) found.push(Number(name));
  }
  return found;
}

test('a program that ignores SIGTERM, starts a new session and forks twice is still killed', async (t) => {
  for (const kind of [...kinds, 'none'] as const)
    await t.test(kind, async (each) => {
      const found = kind === 'none' ? undefined : await findSandbox(kind);
      if (found?.kind === 'none') {
        each.skip(found.why);
        return;
      }
      const word = `stubborn-${kind}-${process.pid}`;
      const program = await startProcess({
        command: 'sh',
        args: stubbornArgs(word),
        grace: { closeInputMs: 10, terminateMs: 100 },
        ...(kind !== 'none' && { sandbox: { policy: 'required', kind } }),
      });
      await new Promise((resolve) => program.stdout.once('data', resolve));
      assert.ok((await running(word)).length >= 2);
      const { reason, signal } = await program.stop();
      assert.equal(reason, 'stopped');
      assert.equal(signal, 'SIGKILL');
      assert.deepEqual(await running(word), []);
    });
});

test('a program that exits on SIGTERM is not killed, also inside a sandbox', async (t) => {
  for (const kind of kinds)
    await t.test(kind, async (each) => {
      const found = await findSandbox(kind);
      if (found.kind === 'none') {
        each.skip(found.why);
        return;
      }
      const program = await startProcess({
        command: process.execPath,
        args: [
          '-e',
          `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`,
        ],
        grace: { closeInputMs: 0, terminateMs: 20_000 },
        sandbox: { policy: 'required', kind },
      });
      await new Promise((resolve) => program.stdout.once('data', resolve));
      const { code, message } = await program.stop();
      assert.equal(code, 7, message);
    });
});

test('mounts over the paths that protect the sandbox are refused', async () => {
  for (const target of ['/', '/proc', '/proc/1', '/dev/shm', '/tmp', '/tmp/', '/usr/../proc', 'relative'])
    await assert.rejects(
      runProcess({ command: 'true', sandbox: { policy: 'required', mounts: [{ source: '/usr', target }] } }),
      /(may be mounted at|not an absolute path)|No sandbox/,
      target,
    );
});

test('kill -9 of the parent process leaves no child process running', async (t) => {
  for (const kind of [...kinds, 'none'] as const)
    await t.test(kind, async (each) => {
      const found = kind === 'none' ? undefined : await findSandbox(kind);
      if (found?.kind === 'none') {
        each.skip(found.why);
        return;
      }
      const word = `orphan-${kind}-${process.pid}`;
      const parent = spawn(
        process.execPath,
        [fileURLToPath(new URL('fixtures/start-stubborn.ts', import.meta.url)), kind, word],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await new Promise((resolve) => parent.stdout.once('data', resolve));
      parent.kill('SIGKILL');
      await new Promise((resolve) => parent.once('exit', resolve));
      const stubborn = async () => (await running(word)).length;
      for (let waited = 0; waited < 20_000 && (await stubborn()) > 0; waited += 50) await sleep(50);
      assert.equal(await stubborn(), 0);
    });
});

test('as root, mounting a path that other users cannot read is refused before the start', async (t) => {
  const { kind } = await findSandbox();
  if (process.getuid?.() !== 0 || kind === 'none') {
    t.skip('not root, or no sandbox');
    return;
  }
  const closed = await mkdtemp(join(folder, 'closed-'));
  await assert.rejects(
    runProcess({ command: 'true', sandbox: { policy: 'required', mounts: [{ source: closed }] } }),
    /closed-.* must be world-readable/,
  );
});
