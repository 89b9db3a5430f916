/**
 * The protocol's conformance suite against a gateway's authorization server, for a client that registered itself and
 * one that did not state its purpose. The suite waits for a user: a simulated one signs in and consents, in a browser
 * without JavaScript.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { register } from '#services/agent-gateway/fixtures/oauth-client.ts';
import { Person } from '#services/agent-gateway/fixtures/person.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { freePort } from '../fixtures/free-port.ts';

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
);

const results = await mkdtemp(join(tmpdir(), 'bulwark-conformance-'));
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Runs the suite; the simulated user visits each address that it prints. */
async function runSuite(
  folder: string,
  args: readonly string[],
): Promise<{ code: number | null; checks: Check[] }> {
  const output = join(results, folder);
  const child = spawn(process.execPath, [suite, 'authorization', ...args, '-o', output], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  // The suite would wait for minutes for a callback that never comes.
  using _ = { [Symbol.dispose]: () => void child.kill() };
  let printed = '';
  let asked = false;
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const url = /^(http\S+\/authorize\?\S+)$/m.exec(printed)?.[1];
    if (url === undefined || asked) continue;
    asked = true;
    const back = await new Person().allow(url, service.url);
    assert.equal((await fetch(back)).status, 200);
  }
  const [code] = await exited;
  const checks = globSync('**/checks.json', { cwd: output }).flatMap(
    (file) => JSON.parse(readFileSync(join(output, file), 'utf8')) as Check[],
  );
  return { code, checks };
}

const variants = [
  ['with a resource', (mcpUrl: string) => ['--resource', mcpUrl]],
  ['without one', () => []],
] as const;

for (const [name, more] of variants)
  test(`the authorization server passes its conformance scenarios, ${name}`, async () => {
    const { mcpUrl } = await service.gateway([]);
    const port = await freePort();
    const redirect = { redirect_uris: [`http://127.0.0.1:${port}/callback`] };
    const { body } = await register(mcpUrl, redirect);
    const args = ['--url', mcpUrl, '--client-id', body.client_id, '-p', String(port), ...more(mcpUrl)];
    const { code, checks } = await runSuite(name.replaceAll(' ', '-'), args);
    assert.deepEqual(
      checks.map(({ id, status, errorMessage }) => `${id} ${status} ${errorMessage ?? ''}`).toSorted(),
      [
        'authorization-code-grant SUCCESS ',
        'authorization-server-metadata SUCCESS ',
        'authorization-server-metadata-cimd SUCCESS ',
      ],
    );
    assert.equal(code, 0);
  });
