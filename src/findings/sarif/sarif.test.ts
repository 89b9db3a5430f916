import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { assert as holds, property, string } from 'fast-check';
import { AppError } from '#base/errors.ts';
import type { Finding, Rule } from '../finding.ts';
import { withFingerprints } from '../fingerprint.ts';
import { messageText, plainMessage } from './message.ts';
import { readSarif } from './read-sarif.ts';
import { sarifOf } from './write-sarif.ts';

// The schema of the standard, from Microsoft's package for tests.
const schemaPath = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')) as object);

function assertValid(log: unknown): void {
  // As a reader gets it: without undefined, which JSON does not have.
  const written: unknown = JSON.parse(JSON.stringify(log));
  assert.ok(isValid(written), JSON.stringify(isValid.errors, null, 1));
}

const rule: Rule = {
  id: 'mcp.command-injection',
  version: '3',
  title: 'Command injection',
  description: 'A parameter reaches a shell. See [the docs](https://evil.example) {0}',
  severity: 'critical',
  remedy: 'Use a list of arguments.',
  helpUri: 'https://cwe.mitre.org/data/definitions/78.html',
  tags: ['security'],
  frameworks: [
    { framework: 'cwe', id: 'CWE-78' },
    { framework: 'owasp-mcp', id: 'MCP05:2025' },
  ],
};

const hostile = 'Text [link](https://evil.example) {0} \\ \u202E \u0000 "<b>"';

const findings: Finding[] = withFingerprints([
  {
    rule: rule.id,
    title: 'Command injection in run_query',
    description: hostile,
    severity: 'high',
    confidence: 'high',
    location: {
      path: 'src/my tools/r:un#1.ts',
      startLine: 41,
      startColumn: 15,
      endColumn: 40,
      snippet: 'execSync(x)',
    },
    subject: 'tool:run_query',
    evidence: 'execSync(x)',
    remedy: 'Use execFile.',
    flow: [
      { location: { path: 'src/run.ts', startLine: 12 }, role: 'source', text: 'parameter {ref}' },
      { location: { path: 'src/run.ts', startLine: 20 }, role: 'guard' },
      { location: { path: 'src/run.ts', startLine: 41 }, role: 'sink', text: 'execSync' },
    ],
    otherPlaces: [{ path: 'dist/run.js', startLine: 44, snippet: 'execSync(x)' }, { path: 'dist/run.mjs' }],
    tags: ['taint'],
    frameworks: [{ framework: 'cwe', id: 'CWE-78' }],
  },
  {
    rule: 'model.refusal',
    title: 'Case 17 was answered',
    description: 'The model answered.',
    severity: 'info',
    confidence: 'low',
    subject: 'dataset:privacy/case-17',
    tags: [],
    frameworks: [{ framework: 'mitre-atlas', id: 'AML.T0054' }],
  },
]);

const suppressed: Finding[] = findings.map((finding, i) =>
  i === 1
    ? {
        ...finding,
        suppression: { reason: 'Known [so]', by: 'ada', at: new Date(0), until: new Date(86_400_000) },
      }
    : finding,
);

const log = sarifOf({
  tool: { name: 'Bulwark', version: '0.1.0' },
  rules: [rule],
  findings: suppressed,
  startedAt: new Date(0),
  endedAt: new Date(1000),
  baselineOf: () => 'new',
});

test('written logs are valid against the SARIF 2.1.0 schema, also without findings', () => {
  assertValid(log);
  assertValid(sarifOf({ tool: { name: 'Bulwark', version: '0.1.0' }, rules: [], findings: [] }));
});

test('the schema refuses invalid SARIF, so the test above can fail', () => {
  const broken = structuredClone(log) as { runs: { results: { level: string }[] }[] };
  broken.runs[0]!.results[0]!.level = 'critical';
  assert.equal(isValid(JSON.parse(JSON.stringify(broken))), false);
});

test('frameworks become taxonomies, and each reference points at its entry', () => {
  const [run] = log.runs;
  assert.deepEqual(
    run?.taxonomies?.map(({ name }) => name),
    ['cwe', 'owasp-mcp', 'mitre-atlas'],
  );
  const references = [
    ...(run.tool.driver.rules![0]!.relationships ?? []).map(({ target }) => target),
    ...run.results!.flatMap(({ taxa = [] }) => taxa),
  ];
  assert.equal(references.length, 4);
  for (const { id, index, toolComponent } of references)
    assert.equal(run.taxonomies!.at(toolComponent!.index!)!.taxa!.at(index!)!.id, id);
  const unknown = { ...rule, frameworks: [{ framework: 'cwe', id: 'CWE-9999' }] };
  const other = sarifOf({ tool: { name: 'x', version: '1' }, rules: [unknown], findings: [] });
  assertValid(other);
  // One missing title must not cost a pipeline its findings.
  assert.deepEqual(other.runs[0]?.taxonomies?.[0]?.taxa, [
    { id: 'CWE-9999', shortDescription: { text: 'CWE-9999' } },
  ]);
});

test('a written log is read back unchanged', () => {
  const [run] = readSarif(JSON.stringify(log));
  assert.deepEqual(run?.tool, { name: 'Bulwark', version: '0.1.0' });
  assert.deepEqual(run.rules, [rule]);
  const [first, second] = run.findings;
  assert.deepEqual(first, { ...findings[0] });
  assert.deepEqual(second, suppressed[1]);
});

test('texts are escaped so that they form no links and no placeholders', () => {
  const text = log.runs[0]?.results?.[0]?.message.text ?? '';
  assert.ok(!/(?<!\\)\[/.test(text) && !/(?<!\{)\{(?!\{)/.test(text), text);
  holds(property(string(), (any) => plainMessage(messageText(any)) === any.toWellFormed()));
  assert.equal(plainMessage('{1} before {0}, {2}', ['a', 'b']), 'b before a, {2}');
});

/** As code scanners write it: levels of rules, messages of rules, indexes, tags and precision. */
const foreign = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'Scanner',
          semanticVersion: '2.0.1',
          rules: [
            {
              id: 'py/path',
              shortDescription: { text: 'Path traversal' },
              messageStrings: { found: { text: 'Uses {0} of {1}.' } },
              defaultConfiguration: { level: 'error' },
              properties: {
                tags: ['external/cwe/cwe-022', 'security'],
                'security-severity': '7.5',
                precision: 'very-high',
              },
            },
            { id: 'py/note', name: 'Note', defaultConfiguration: { level: 'note' } },
          ],
        },
      },
      results: [
        {
          ruleIndex: 0,
          ruleId: 'py/path/1',
          message: { id: 'found', arguments: ['open', 'name'] },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'file:///repo/a%20b.py' },
                region: { startLine: 3, snippet: { text: 'open(p)' } },
              },
            },
          ],
          codeFlows: [
            {
              threadFlows: [
                {
                  locations: [
                    { location: { physicalLocation: { artifactLocation: { uri: 'a.py' } } } },
                    {
                      location: {
                        physicalLocation: { artifactLocation: { uri: 'b.py' } },
                        message: { text: 'end' },
                      },
                    },
                  ],
                },
              ],
            },
          ],
          suppressions: [{ kind: 'inSource', status: 'rejected' }],
        },
        {
          ruleIndex: 1,
          message: { text: 'n' },
          partialFingerprints: { primaryLocationLineHash: 'abc:1' },
          suppressions: [{ kind: 'inSource' }],
        },
        { kind: 'pass', ruleIndex: 1, message: { text: 'all is well' } },
      ],
    },
  ],
};

test('logs of other tools are read: severities, flows, messages, suppressions', () => {
  const [run] = readSarif(JSON.stringify(foreign));
  assert.equal(run?.findings.length, 2);
  const [path, note] = run.findings;
  assert.equal(path?.title, 'Path traversal');
  assert.equal(path.description, 'Uses open of name.');
  assert.deepEqual([path.severity, path.confidence, path.location?.path], ['high', 'high', '/repo/a b.py']);
  assert.deepEqual(path.frameworks, [{ framework: 'cwe', id: 'CWE-22' }]);
  assert.deepEqual(
    path.flow?.map(({ role, text }) => [role, text]),
    [
      ['source', undefined],
      ['sink', 'end'],
    ],
  );
  assert.equal(path.suppression, undefined);
  assert.deepEqual(
    [note?.rule, note?.severity, note?.suppression?.reason],
    ['py/note', 'low', 'No reason was given.'],
  );
  const moved = structuredClone(foreign);
  moved.runs[0]!.results[0]!.locations![0]!.physicalLocation.region.startLine = 99;
  const [again] = readSarif(JSON.stringify(moved));
  assert.equal(again?.findings[0]?.fingerprint, path.fingerprint);
});

test('an unreadable log is refused with the position of the error; unexpected optional parts are accepted', () => {
  const refused = (text: string, detail: RegExp) =>
    assert.throws(
      () => readSarif(text),
      (error: unknown) =>
        error instanceof AppError && error.code === 'invalid_sarif' && detail.test(error.message),
    );
  refused('{', /not JSON/);
  refused('[]', /version none/);
  refused('{"version":"2.0.0"}', /version 2\.0\.0/);
  refused('{"version":"2.1.0","runs":{}}', /\/runs must be a list/);
  refused('{"version":"2.1.0","runs":[{}]}', /\/runs\/0\/tool\/driver\/name/);
  const results = JSON.stringify(Array.from({ length: 50_001 }, () => 0));
  refused(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":${results}}]}`,
    /50001 entries/,
  );
  const strange =
    '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[null,7,{"ruleId":"__proto__","locations":[{"physicalLocation":{"artifactLocation":{"uri":"%E0%A4%A"},"region":{"startLine":-1}}}],"message":[]}]}]}';
  const [run] = readSarif(strange);
  assert.equal(run?.findings.length, 3);
  assert.deepEqual(run.findings[2]?.location, { path: '%E0%A4%A' });
});
