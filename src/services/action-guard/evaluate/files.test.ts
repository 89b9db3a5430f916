/** Rules about files that are written, and about those that are read: of a copy one is the one and one the other. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readsByTools, readsSecrets, writesByTools, writesOutside } from '../fixtures/file-cases.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, judge } = service;

async function setOf(description: string): Promise<string> {
  const { body: policy } = await call('POST', '/api/v1/policies/policy', {
    as: tokens.admin,
    body: { name: description, rules: { files: { description, severity: 'High' } } },
  });
  const { body: made } = await call('GET', `/api/v1/policies/policy/${policy.policy_id}`, {
    as: tokens.admin,
  });
  assert.equal(made.rules.files.understood, 'fully');
  const { body: set } = await call('POST', '/api/v1/policies/sets', {
    as: tokens.admin,
    body: { name: description, policy_ids: [policy.policy_id] },
  });
  return set.policy_id;
}

type Case = readonly [tool: string, params: Readonly<Record<string, unknown>>, outcome: 'breaks' | 'keeps'];

const inShell = ([command, outcome]: readonly [string, 'breaks' | 'keeps']): Case => [
  'bash',
  { command },
  outcome,
];

async function wrongOf(sentence: string, cases: readonly Case[]): Promise<string[]> {
  const policyId = await setOf(sentence);
  const wrong: string[] = [];
  for (const [tool, params, outcome] of cases) {
    const { body } = await judge({ policyId, tool, params, request: 'Go on.', more: { trial: true } });
    if (body.allowed !== (outcome === 'keeps')) wrong.push(`${tool} ${JSON.stringify(params)}: ${outcome}`);
  }
  return wrong;
}

test('what is written outside of a folder is told from what is read there', async () => {
  const cases = [...writesOutside.map(inShell), ...writesByTools];
  assert.deepEqual(await wrongOf('Do not write outside /srv/app.', cases), []);
  assert.deepEqual(await wrongOf('The agent may only write files below /srv/app.', cases), []);
});

test('what is read in a folder is told from what is written there', async () => {
  const cases = [...readsSecrets.map(inShell), ...readsByTools];
  assert.deepEqual(await wrongOf('Do not read files in /etc/secrets.', cases), []);
});
