/** Credentials of connectors are in no answer, no log line, no error, and not in the database in plain text. */
import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestService } from '../fixtures/service.ts';
import { scenarioEvents } from '../simulator/scenarios.ts';
import { personalities, startSimulator } from '../simulator/simulator.ts';
import { connect, sync } from '../fixtures/polling.ts';
import { assertNowhere, dumpTables } from '../../../../test/fixtures/secrets.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-log-'));
const logFile = join(folder, 'log');
const logTo = openSync(logFile, 'a');
const service = await openTestService({ withJobs: true, logTo });
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const { call, tokens, db, clock } = service;
const as = tokens.admin;

const secrets = ['wrong-Secret-8c1f!', 'saas-Password-77aa!', 'simulator-secret'];
const seen: string[] = [];
async function ask(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<number> {
  const answer = await call(method, path, { as, ...(body && { body }) });
  seen.push(JSON.stringify([answer.body, answer.headers]));
  return answer.status;
}

test('credentials are told nowhere', { timeout: 120_000 }, async () => {
  const events = scenarioEvents('coding-agent', clock.now() - 4 * 3_600_000);
  const path = '/api/v1/shadow-ai';
  for (const kind of personalities) {
    await using simulator = await startSimulator({ as: kind, events });
    const secret = simulator.config.credentials['client_secret'] ?? simulator.config.credentials['api_token'];
    if (!secrets.includes(secret!)) secrets.push(secret!);
    await connect(service, simulator);
    await sync(service);
    assert.equal(await ask('POST', `${path}/connector/test`), 200);
    // A wrong secret: the source refuses it, and says so.
    const field = kind === 'edr-c' ? 'api_token' : 'client_secret';
    const credentials = { ...simulator.config.credentials, [field]: secrets[0]! };
    const { edr_framework, settings } = simulator.config;
    assert.equal(await ask('PUT', `${path}/config`, { edr_framework, credentials, settings }), 200);
    const status = await sync(service);
    assert.ok(status.last_error, `${kind} refuses a wrong secret`);
    seen.push(JSON.stringify(status));
    await ask('POST', `${path}/connector/test`);
    await ask('GET', `${path}/config`);
    await ask('GET', `${path}/connector/status`);
    // What is wrong with a request is said without what it held.
    await ask('PUT', `${path}/config`, { edr_framework, credentials: { [field]: [secrets[0]] } });
    await ask('PUT', `${path}/config`, { edr_framework: secrets[0], credentials });
  }
  const saas = { host: 'https://127.0.0.1:9', user: 'auditor', password: secrets[1]! };
  assert.equal(await ask('PUT', `${path}/saas-config`, saas), 200);
  await ask('GET', `${path}/saas-config`);
  await ask('GET', `${path}/saas-inventory`);
  await ask('PUT', `${path}/saas-config`, { ...saas, password: [secrets[1]] });
  // Lines are written in batches, in the order in which they were logged.
  const end = 'the test ends here';
  service.log.info(end);
  let log = '';
  while (!log.includes(end)) {
    await sleep(20);
    log = await readFile(logFile, 'utf8');
  }
  const places = {
    answers: seen.join('\n'),
    log,
    database: await dumpTables(db),
  };
  assert.match(places.log, /polling a connector failed/);
  assert.match(places.database, /auditor/);
  assertNowhere(secrets, places);
});
