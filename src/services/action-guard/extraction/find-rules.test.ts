import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findRules } from './find-rules.ts';

const folder = join(import.meta.dirname, '../../../../test/fixtures/policy-documents');
const names = readdirSync(folder).filter((name) => !name.includes('.expected.'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Documents written as rules, with "must" and "never"; the others are written informally, where more is missed. */
const writtenAsRules = new Set([
  'access.txt',
  'agents.md',
  'assistants-at-work.md',
  'bank-chat.txt',
  'clinic.md',
  'refunds.md',
  'travel.txt',
]);

test('fourteen documents: the obligations of a list made by hand, and little else', async (t) => {
  let [wanted, found, extra, rules] = [0, 0, 0, 0];
  const plain = { wanted: 0, found: 0 };
  for (const name of names) {
    const expected = read(name.replace(/\.\w+$/, '.expected.txt'))
      .trim()
      .split('\n');
    const descriptions = (await findRules(read(name))).map(({ description }) => description);
    const holds = (description: string) => (part: string) =>
      description.toLowerCase().includes(part.toLowerCase());
    const missed = expected.filter((part) => !descriptions.some((each) => holds(each)(part)));
    const others = descriptions.filter((each) => !expected.some(holds(each)));
    wanted += expected.length;
    found += expected.length - missed.length;
    if (writtenAsRules.has(name)) {
      plain.wanted += expected.length;
      plain.found += expected.length - missed.length;
    }
    rules += descriptions.length;
    extra += others.length;
    for (const part of missed) t.diagnostic(`${name} missed: ${part}`);
    for (const each of others) t.diagnostic(`${name} extra: ${each}`);
  }
  t.diagnostic(`${found} of ${wanted} obligations found, ${extra} of ${rules} rules are none`);
  assert.equal(names.length, 14);
  assert.ok(plain.found / plain.wanted >= 0.95, `${plain.found} of ${plain.wanted} written as rules`);
  assert.ok(found / wanted >= 0.85, `${found} of ${wanted}`);
  assert.ok(extra / rules <= 0.1, `${extra} of ${rules}`);
});

const only = async (document: string) =>
  (await findRules(document)).map(({ description, severity }) => [description, severity]);

test('severity is that of the strongest word', async () => {
  assert.deepEqual(
    await only('Agents must not delete files. Agents must ask first. Agents should be brief.'),
    [
      ['Agents must not delete files.', 'High'],
      ['Agents must ask first.', 'Medium'],
      ['Agents should be brief.', 'Low'],
    ],
  );
});

test('an item says the whole rule, and its source is what the document says', async () => {
  const [rule] = await findRules('Agents must not:\n- share passwords\n- pay anyone\n');
  assert.deepEqual(rule, {
    description: 'Agents must not share passwords.',
    severity: 'High',
    source: 'Agents must not: share passwords',
  });
  assert.deepEqual(await only('Never do the following:\n\n* Sell shares\n'), [
    ['Never sell shares.', 'High'],
  ]);
});

test('lines that a PDF broke are one sentence, and a rule stands once', async () => {
  assert.deepEqual(
    await only(
      'Agents must not dis-\nclose the salary\nof anyone.\n\nAgents must not disclose the salary of anyone!',
    ),
    [['Agents must not disclose the salary of anyone.', 'High']],
  );
});

test('an endless document does not take an endless time', async () => {
  await findRules('Agents must not delete files of kind x and y while they read on. '.repeat(20_000));
  await findRules(`${'a '.repeat(500_000)}must not b`);
  await findRules('- '.repeat(200_000));
  await findRules('['.repeat(1_000_000));
  const lines = Array.from({ length: 20_000 }, (_, i) => `Agents must not delete the file number ${i}.`);
  assert.equal((await findRules(lines.join('\n'))).length, 20_000);
});

test('calls have their turn while a long document is read', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `Agents must not delete the file number ${i}.`);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  await findRules(lines.join(' '));
  clearInterval(counting);
  assert.ok(turns > 1, `${turns} turns`);
});
