import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crosswalk, findEntry, frameworks, getEntry, relatedTo } from './frameworks.ts';

test('each framework has its source, version, date and unique, well-formed ids', () => {
  assert.equal(frameworks().size, 13);
  for (const { id, name, version, source, licence, date, form, entries } of frameworks().values()) {
    assert.ok(name !== '' && version !== '' && licence !== '', id);
    assert.match(source, /^https?:\/\//, id);
    assert.match(date, /^20\d\d(-\d\d){0,2}$/, id);
    assert.equal(new Set(entries.map((entry) => entry.id)).size, entries.length, id);
    for (const entry of entries) {
      assert.match(entry.id, new RegExp(form), id);
      assert.ok(entry.title.trim() !== '', entry.id);
      for (const other of [entry.parent, entry.replaced_by])
        if (other !== undefined)
          assert.ok(findEntry({ framework: id, id: other }), `${entry.id} names ${other}`);
    }
  }
});

test('frameworks included in full have as many entries as were published', () => {
  const sizes = Object.entries({
    'owasp-llm': 10,
    'owasp-agentic': 10,
    'owasp-agentic-threats': 17,
    'owasp-mcp': 10,
    'nist-genai': 12,
    'air-2024': 16,
    // Four functions; six, five, four and four categories.
    'nist-ai-rmf': 23,
    gdpr: 99,
  });
  for (const [id, size] of sizes) assert.equal(frameworks().get(id)?.entries.length, size, id);
});

test('articles of the GDPR are numbered without a gap, and bear the titles of the Official Journal', () => {
  const articles = frameworks().get('gdpr')?.entries ?? [];
  assert.deepEqual(
    articles.map(({ id }) => id),
    articles.map((_, i) => `Article ${i + 1}`),
  );
  // The first article of each chapter, and those that tests of models refer to most.
  for (const [article, title] of [
    [1, 'Subject-matter and objectives'],
    [5, 'Principles relating to processing of personal data'],
    [
      12,
      'Transparent information, communication and modalities for the exercise of the rights of the data subject',
    ],
    [24, 'Responsibility of the controller'],
    [44, 'General principle for transfers'],
    [51, 'Supervisory authority'],
    [
      60,
      'Cooperation between the lead supervisory authority and the other supervisory authorities concerned',
    ],
    [77, 'Right to lodge a complaint with a supervisory authority'],
    [85, 'Processing and freedom of expression and information'],
    [92, 'Exercise of the delegation'],
    [94, 'Repeal of Directive 95/46/EC'],
  ] as const)
    assert.equal(articles[article - 1]?.title, title);
});

test('FINRA rules are those of the manual, by number and title', () => {
  // From the table of contents of the manual.
  const published = {
    2010: 'Standards of Commercial Honor and Principles of Trade',
    2020: 'Use of Manipulative, Deceptive or Other Fraudulent Devices',
    2090: 'Know Your Customer',
    2111: 'Suitability',
    2150: "Improper Use of Customers' Securities or Funds; Prohibition Against Guarantees and Sharing in Accounts",
    2165: 'Financial Exploitation of Specified Adults',
    2210: 'Communications with the Public',
    3110: 'Supervision',
    3270: 'Outside Business Activities of Registered Persons',
    3280: 'Private Securities Transactions of an Associated Person',
    3310: 'Anti-Money Laundering Compliance Program',
    4511: 'General Requirements',
    4512: 'Customer Account Information',
    4530: 'Reporting Requirements',
    5210: 'Publication of Transactions and Quotations',
    5270: 'Front Running of Block Transactions',
    5310: 'Best Execution and Interpositioning',
    5320: 'Prohibition Against Trading Ahead of Customer Orders',
  };
  assert.deepEqual(
    frameworks()
      .get('finra')
      ?.entries.map(({ id, title }) => [id, title]),
    Object.entries(published).map(([number, title]) => [`Rule ${number}`, title]),
  );
});

test('the crosswalk has one row per agentic risk and names only current entries', () => {
  const agentic = frameworks()
    .get('owasp-agentic')
    ?.entries.map(({ id }) => id);
  assert.deepEqual(
    crosswalk()
      .map(({ entries }) => entries['owasp-agentic'])
      .flat(),
    agentic,
  );
  for (const { entries } of crosswalk())
    for (const [framework, ids] of Object.entries(entries))
      for (const id of ids) assert.equal(getEntry({ framework, id }).replaced_by, undefined, id);
});

test('related entries are those of all rows that contain one of the references', () => {
  const related = relatedTo([{ framework: 'owasp-mcp', id: 'MCP05:2025' }]).map(({ id }) => id);
  for (const id of ['ASI05:2026', 'T11', 'LLM05:2025', 'CWE-78', 'AML.T0050'])
    assert.ok(related.includes(id), id);
  assert.ok(!related.includes('MCP05:2025'));
  assert.deepEqual(relatedTo([{ framework: 'cwe', id: 'CWE-1333' }]), []);
});

test('an unknown id is an error', () => {
  assert.throws(() => getEntry({ framework: 'cwe', id: 'CWE-9999' }), RangeError);
  assert.throws(() => getEntry({ framework: 'none', id: 'X' }), RangeError);
  assert.equal(findEntry({ framework: 'mitre-atlas', id: 'AML.T0104' })?.replaced_by, 'AML.T0115.002');
});

test('each weakness that rules and services name is in the list', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync(['data/*/rules/**/*.yaml', 'src/**/*.ts'], { cwd: root });
  const named = files
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/\bCWE-\d+\b/g) ?? []);
  assert.ok(new Set(named).size > 40);
  const unknown = [...new Set(named)].filter((id) => findEntry({ framework: 'cwe', id }) === undefined);
  assert.deepEqual(unknown, []);
});
