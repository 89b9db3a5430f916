import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { payments } from '#environments/payments/payments.ts';
import { EnvironmentProcess } from '#services/red-team/pool/environment-process.ts';
import { InProcessDriver } from '#services/red-team/pool/in-process-driver.ts';
import { Pool } from '#services/red-team/pool/pool.ts';
import { containerDriver, ProcessDriver } from '#services/red-team/pool/process-driver.ts';

const lease = (pool: Pool, ...environments: string[]) =>
  pool.lease({ environments, expiresAfterMs: 60_000, signal: new AbortController().signal });

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not yet collected counts as ended.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function untilEnded(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

test('An environment in a process gives the same bytes as one in the service', async () => {
  const calls = [
    ['send_message', { to: ['a@example.com'], subject: 's', body: 'b' }],
    ['send_message', { to: ['no address'], subject: 's', body: 'b' }],
    ['list_messages', { folder: 'sent', limit: 2 }],
    ['no_such_tool', {}],
  ] as const;
  const answers = [];
  for (const driver of [new InProcessDriver(), new ProcessDriver()]) {
    await using instance = await driver.start('mail');
    const { handle } = instance;
    await handle.reset('seed', { contacts: [{ email: 'x@example.com', name: 'X', company: '' }] });
    const outputs = [];
    for (const [tool, args] of calls) outputs.push(await handle.call(tool, args));
    answers.push({
      outputs,
      tools: await handle.tools(),
      changes: await handle.changes(),
      contacts: await handle.rows('contacts'),
      sinks: handle.sinks,
    });
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('A process that dies is an error of its session, and is replaced for the next one', async () => {
  const driver = new ProcessDriver();
  const processes: EnvironmentProcess[] = [];
  await using pool = new Pool({
    start: async (id) => {
      const instance = await driver.start(id);
      if (instance.handle instanceof EnvironmentProcess) processes.push(instance.handle);
      return instance;
    },
  });
  await pool.open(new Map([['payments', 1]]));
  const first = await lease(pool, 'payments');
  const environment = first.environments.get('payments');
  process.kill(processes[0]?.pid ?? 0, 'SIGKILL');
  await assert.rejects(async () => {
    for (;;) await environment?.call('get_account', {});
  }, /process of the environment payments ended \(SIGKILL\)/);
  await first.release();
  const second = await lease(pool, 'payments');
  assert.equal((await second.environments.get('payments')?.tools())?.length, payments.tools.length);
  assert.equal(processes.length, 2);
  await second.release();
});

test('A process can neither write files nor start programs nor see our variables', async () => {
  const child = new ProcessDriver();
  await using instance = await child.start('mail');
  const { pid } = instance.handle as EnvironmentProcess;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  assert.ok(command.includes('--permission'));
  assert.ok(!command.some((arg) => arg.startsWith('--allow-') && !arg.startsWith('--allow-fs-read=')));
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  assert.deepEqual(environment, ['NODE_ENV=production']);
});

test('No process outlives a service that was killed', async () => {
  const program = fileURLToPath(new URL('fixtures/open-pool.ts', import.meta.url));
  const service = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line = ''] =
    (await createInterface({ input: service.stdout })[Symbol.asyncIterator]().next()).value?.split('\n') ??
    [];
  const pids = line.split(' ').map(Number);
  assert.equal(pids.length, 3);
  assert.ok(pids.every(isAlive));
  service.kill('SIGKILL');
  await Promise.all(pids.map(untilEnded));
});

test('Containers without Docker, or without an image, are refused with what to do', () => {
  assert.throws(() => containerDriver(undefined), /environment_image/);
  assert.throws(
    () => containerDriver('bulwark', '/no/such/socket'),
    /no Docker socket at \/no\/such\/socket/,
  );
});
