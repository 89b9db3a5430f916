import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StartupError } from '#base/errors.ts';
import { openTestService } from '../fixtures/service.ts';
import { openMatcher } from './own-catalogue.ts';

const folder = mkdtempSync(join(tmpdir(), 'bulwark-catalogue-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: unknown): string {
  const path = join(folder, `own-${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const inHouse = {
  id: 'in-house-agent',
  name: 'In-house agent',
  severity: 'HIGH',
  category: 'CODING_AGENT',
  match: { names: ['hausmeister'], packages: ['@acme/hausmeister'] },
  autonomy_flags: ['--yolo'],
  examples: {
    match: [
      { image: '/usr/local/bin/hausmeister', command_line: 'hausmeister run' },
      { image: '/usr/bin/npx', command_line: 'npx @acme/hausmeister' },
    ],
    no_match: [{ image: '/usr/bin/less', command_line: 'less hausmeister.log' }],
  },
};
const provider = {
  id: 'ai-connect-in-house',
  name: 'In-house models',
  severity: 'LOW',
  dst_domains: ['models.acme.example'],
};

test('own rules and providers are added, replace those of the same id, and others are removed', () => {
  const shipped = openMatcher(undefined);
  assert.equal(shipped.matchProcess('/usr/local/bin/hausmeister', 'hausmeister run'), undefined);
  const claude = shipped.findRule('claude-code');
  const own = openMatcher(
    fileOf({
      rules: [inHouse, { ...claude, severity: 'CRITICAL', version: 2 }],
      providers: [provider],
      remove: ['ollama'],
    }),
  );
  assert.equal(own.matchProcess('/usr/local/bin/hausmeister', 'hausmeister run')?.rule.id, 'in-house-agent');
  assert.equal(own.findProvider('models.acme.example')?.id, 'ai-connect-in-house');
  assert.equal(own.findRule('claude-code')?.severity, 'CRITICAL');
  assert.equal(own.findRule('ollama'), undefined);
  assert.equal(own.catalogue.rules.length, shipped.catalogue.rules.length);
  assert.notEqual(own.catalogue.version, shipped.catalogue.version);
});

test('a file that is wrong names the entry and what is wrong with it', () => {
  const refusal = (content: unknown) => {
    try {
      openMatcher(fileOf(content));
    } catch (error) {
      assert.ok(error instanceof StartupError, String(error));
      return error.message;
    }
    return assert.fail('The file was accepted.');
  };
  assert.match(refusal('{'), /own-\d+\.json is not valid: .*JSON/);
  assert.match(refusal({ rules: [{ ...inHouse, severity: 'BAD' }] }), /rules\[0\]\.severity/);
  assert.match(refusal({ rules: [{ ...inHouse, matsch: {} }] }), /matsch/);
  assert.match(refusal({ rules: [{ ...inHouse, id: 'In House' }] }), /In House: the id must be lower case/);
  assert.match(refusal({ rules: [inHouse, inHouse] }), /in-house-agent: the id is there twice/);
  assert.match(refusal({ rules: [{ ...inHouse, category: 'NONE' }] }), /in-house-agent: its category/);
  assert.match(refusal({ providers: [{ ...provider, id: 'mine' }] }), /mine: must begin with ai-connect-/);
  assert.match(refusal({ remove: ['nothing'] }), /nothing: it cannot be removed/);
  const example = { image: '/usr/bin/other', command_line: 'other' };
  assert.match(
    refusal({ rules: [{ ...inHouse, examples: { match: [example] } }] }),
    /the example "other" of the rule in-house-agent is found by no rule/,
  );
  assert.throws(() => openMatcher(join(folder, 'missing.json')), StartupError);
});

test('the service finds the operator’s tool and lists its rule', async () => {
  await using service = await openTestService({
    env: { BULWARK_SHADOW_AI_CATALOGUE_FILE: fileOf({ rules: [inHouse] }) },
  });
  const { call, tokens } = service;
  const rules = await call('GET', '/api/v1/rules', { as: tokens.admin });
  assert.equal(rules.status, 200);
  assert.ok(JSON.stringify(rules.body).includes('in-house-agent'));
});
