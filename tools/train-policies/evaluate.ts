/**
 * Measures custom policies judged from their text alone: `node tools/train-policies/evaluate.ts [data sets folder]
 * [--own folder] [--by hand|language|trade] [--json file] [--quality file]`. Held-out trades were never trained on.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import type { MeasuredQuality } from '../../src/engine/text/policy-quality.ts';
import { readPolicyWeights } from '../../src/engine/text/policy-weights.ts';
import { type PolicyCase, readCases } from './cases.ts';
import { engineScore } from './engine-score.ts';
import { readOrdinary } from './ordinary.ts';
import {
  type Figure,
  type Figures,
  type Score,
  blindControl,
  headLine,
  intervalLines,
  lineOf,
  makeBank,
  measure,
} from './protocol.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'string', default: join(root, 'data/training/policies') },
    by: { type: 'string', default: 'hand' },
    json: { type: 'string' },
    quality: { type: 'string' },
  },
});
const folder = positionals[0] ?? join(root, '../shared/datasets');
const own = readCases(values.own);
const shared = readCases(join(folder, 'policies'));
const weights = readPolicyWeights(join(root, 'data/models/policies.bin'));
const bank = makeBank([...own, ...shared], await readOrdinary(join(folder, 'corpus')));
const score = engineScore(await loadTextEngine(), bank);
const control = blindControl(bank, score);
const byName = 'held out: English, by the name alone';
const results: Record<string, { judge: Figures; control: Figures }> = {};

function writeQuality(file: string): void {
  const kind = (name: string): MeasuredQuality => {
    const found = results[name]?.judge;
    if (found === undefined) throw new RangeError(`nothing was measured for ${name}`);
    const share = (figure: Figure) => ({
      value: round(figure.value),
      low: round(figure.low),
      high: round(figure.high),
    });
    return {
      policies: found.near.of,
      near: share(found.near),
      found: share(found.found),
      foundPlain: share(found.foundPlain),
      nearFlagged: share(found.nearFlagged),
    };
  };
  const kinds = {
    english: kind('held out: English'),
    other_language: kind('held out: not English'),
    short: kind(byName),
  };
  writeFileSync(file, `${JSON.stringify({ version: weights.header.version, kinds }, null, 2)}\n`);
}

/** As if each policy had a name and nothing else. */
async function scoreByName(): Promise<Score> {
  const cut = bank.cases.map((each) => ({
    ...each,
    source: { ...each.source, description: '', blockActivities: [], safeActivities: [] },
  }));
  return engineScore(await loadTextEngine(), { ...bank, cases: cut });
}

const round = (value: number) => Number(value.toFixed(3));

function report(name: string, test: (each: PolicyCase) => boolean, by: Score = score): void {
  const which = bank.cases.flatMap((each, p) => (test(each) ? [p] : []));
  if (which.length === 0) return;
  const both = { judge: measure(bank, which, by), control: measure(bank, which, control) };
  results[name] = both;
  console.log(lineOf(`${name} (${which.length})`, both.judge));
  console.log(lineOf('   never sees the policy', both.control));
}

console.log(headLine);
report(
  'held out: trades of our own',
  ({ heldOut, hand }) => heldOut && own.some((each) => each.hand === hand),
);
const main = results['held out: trades of our own'];
if (main !== undefined) for (const line of intervalLines(main.judge)) console.log(`      ${line}`);
report('held out: shared', ({ heldOut, hand }) => heldOut && shared.some((each) => each.hand === hand));
report('held out: not English', ({ heldOut, language }) => heldOut && language !== 'en');
report('held out: English', ({ heldOut, language }) => heldOut && language === 'en');
report(byName, ({ heldOut, language }) => heldOut && language === 'en', await scoreByName());
if (values.quality !== undefined) writeQuality(values.quality);
report('all of our own', ({ hand }) => own.some((each) => each.hand === hand));
report('all shared', ({ hand }) => shared.some((each) => each.hand === hand));
const groupOf = (each: PolicyCase) =>
  values.by === 'language' ? each.language : values.by === 'trade' ? each.trade : each.hand;
for (const group of new Set(bank.cases.map(groupOf))) report(group, (each) => groupOf(each) === group);

console.log('\nordinary text flagged at .5, by source');
for (const source of new Set(
  bank.texts.filter(({ kind }) => kind === 'ordinary').map((each) => each.source),
)) {
  const texts = bank.texts.flatMap((each, t) =>
    each.kind === 'ordinary' && each.source === source ? [t] : [],
  );
  const flagged = bank.cases.map((_, p) => texts.filter((t) => score(p, t) >= 0).length / texts.length);
  console.log(source.padEnd(30), (flagged.reduce((a, b) => a + b, 0) / flagged.length).toFixed(4));
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
