/**
 * Measures how well weaknesses in source code are found: `node bench/source-accuracy.ts [--lines PART] [--only
 * PARTS] [--set FILE.jsonl.gz]`.
 *
 * For each weakness and language: how many of the weak lines are found, and how many of the lines that only look weak
 * are flagged, on each part of `test/fixtures/source-set`. A line counts as found if a finding of the same family
 * with at least medium severity lies on it. `--lines` lists the misjudged lines of one part; `--only`
 * measures some parts alone. `--set` also measures
 * the files of another set, each on its own: rows with `path`, `code` and `label`.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { analyseProject } from '#engine/source/analyse-project.ts';
import type { Observation } from '#findings/finding.ts';
import { type Marker, type Part, parts, readSet } from '../test/fixtures/source-set/read-set.ts';

const { values } = parseArgs({
  options: { lines: { type: 'string' }, set: { type: 'string' }, only: { type: 'string' } },
});

/** Rules that report the same weakness under different names. */
const family: Readonly<Record<string, string>> = {
  'chosen-program': 'command-injection',
  'argument-injection': 'command-injection',
  'xml-entities-allowed': 'xml-external-entity',
  'unguarded-merge': 'prototype-pollution',
  'unbounded-work': 'resource-exhaustion',
  'unbounded-amount': 'resource-exhaustion',
};
const familyOf = (rule: string) => family[rule] ?? rule;
const injections = new Set(
  'command-injection path-traversal server-side-request-forgery sql-injection nosql-injection ldap-injection code-execution unsafe-deserialization template-injection xml-external-entity prototype-pollution regex-injection open-redirect'.split(
    ' ',
  ),
);
const languageOf = (path: string) =>
  ({
    js: 'TypeScript',
    mjs: 'TypeScript',
    ts: 'TypeScript',
    py: 'Python',
    go: 'Go',
    java: 'Java',
    rs: 'Rust',
  })[path.split('.').at(-1) ?? ''] ?? 'other';

const counts = (severity: string) => ['critical', 'high', 'medium'].includes(severity);

const isAt = ({ rule, location, severity }: Observation, marker: Marker): boolean =>
  counts(severity) &&
  familyOf(rule) === familyOf(marker.rule) &&
  location?.path === marker.path &&
  (location.startLine ?? 0) <= marker.line &&
  (location.endLine ?? 0) >= marker.line;

type Tally = { found: number; weak: number; flagged: number; safe: number };
type Table = Map<string, Tally>;
const empty = (): Tally => ({ found: 0, weak: 0, flagged: 0, safe: 0 });

function add(table: Table, key: string, { isWeak }: Marker, isFlagged: boolean): void {
  const row = table.get(key) ?? empty();
  table.set(key, row);
  row[isWeak ? 'weak' : 'safe']++;
  if (isFlagged) row[isWeak ? 'found' : 'flagged']++;
}

function tally(table: Table, marker: Marker, observations: Observation[], half: string, name: string): void {
  const isFlagged = observations.some((each) => isAt(each, marker));
  const kind = injections.has(familyOf(marker.rule)) ? '= injections' : '= declarations';
  for (const key of [marker.rule, `: ${languageOf(marker.path)}`, kind, '= all'])
    add(table, key, marker, isFlagged);
  if (values.lines === half && isFlagged !== marker.isWeak)
    console.log(
      `${marker.isWeak ? 'missed' : 'FALSE '} ${name} ${marker.path}:${marker.line} ${marker.rule}`,
    );
}

async function measure(half: Part): Promise<Table> {
  const table: Table = new Map();
  let extra = 0;
  for (const { name, files, markers } of readSet(half)) {
    const { observations } = await analyseProject(files);
    for (const marker of markers) tally(table, marker, observations, half, name);
    const others = observations.filter(
      (each) => counts(each.severity) && !markers.some((marker) => isAt(each, marker)),
    );
    extra += others.length;
    if (values.lines === half)
      for (const { location, rule, severity } of others)
        console.log(`extra  ${name} ${location?.path}:${location?.startLine} ${rule} ${severity}`);
  }
  console.log(`${half}: ${extra} findings on lines that are not marked`);
  return table;
}

const share = (part: number, of: number) =>
  of === 0 ? '' : `${part}/${of} ${((100 * part) / of).toFixed(0)} %`;

const measured = parts.filter((part) => values.only === undefined || values.only.split(',').includes(part));
const tables: Table[] = [];
for (const part of measured) tables.push(await measure(part));
const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))].toSorted();
const cell = (text: string, width = 15) => text.padEnd(width);
const heads = measured.flatMap((part) => [`${part} found`, `${part} flagged`]);
console.log(cell('', 32) + heads.map((each) => cell(each)).join(''));
for (const key of keys) {
  const rows = tables.map((table) => table.get(key) ?? empty());
  const cells = rows.flatMap((each) => [share(each.found, each.weak), share(each.flagged, each.safe)]);
  console.log(cell(key, 32) + cells.map((each) => cell(each)).join(''));
}

interface Row {
  path: string;
  code: string;
  label: number;
}

if (values.set !== undefined) {
  const rows = gunzipSync(readFileSync(values.set))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const all = empty();
  let medium = 0;
  let high = 0;
  let bytes = 0;
  for (const { path, code, label } of rows) {
    const { observations } = await analyseProject([{ path, text: code }]);
    const serious = observations.filter(({ severity }) => counts(severity));
    all[label === 1 ? 'weak' : 'safe']++;
    if (serious.length > 0) all[label === 1 ? 'found' : 'flagged']++;
    if (label === 0) {
      medium += serious.length;
      high += serious.filter(({ severity }) => severity !== 'medium').length;
      bytes += code.length;
    }
    if (values.lines === 'set' && serious.length > 0 !== (label === 1))
      console.log(
        `${label === 1 ? 'missed' : 'FALSE '} ${path} ${serious.map(({ rule, location, severity }) => `${rule}:${location?.startLine} ${severity}`).join(', ')}`,
      );
    if (values.lines === 'set' && label === 1 && serious.length > 0)
      console.log(`found  ${path} ${[...new Set(serious.map(({ rule }) => rule))].join(', ')}`);
  }
  console.log(
    `${values.set}: ${share(all.found, all.weak)} of the malicious files, ${share(all.flagged, all.safe)} of the harmless ones; ${medium} findings there, ${high} of them high, ${(bytes / 1e6).toFixed(2)} MB`,
  );
}
