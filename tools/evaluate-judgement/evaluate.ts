/**
 * The report on judgement: custom policies, the lab and the detectors on what nothing was trained on, each figure with
 * its interval, its goal and its groups. `node tools/evaluate-judgement/evaluate.ts [data sets folder] [--write]
 * [--before checkout --commit name]`. `--write` writes `data/models/judgement.json` and `.md`; `--before` measures the
 * weights of an earlier checkout by the same code, else the figures of before are taken from the last report. A few
 * minutes of one core.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { readCases } from '../train-policies/cases.ts';
import { type LabCase, measureLab } from '../train-policies/lab.ts';
import { readOrdinary } from '../train-policies/ordinary.ts';
import { makeBank, overPolicies } from '../train-policies/protocol.ts';
import { hashWeights, type Judgement, modelsFolder, pageOf } from './card.ts';
import type { Row } from './figure.ts';
import { readMaterial } from './material.ts';
import { measurePolicies } from './policies.ts';
import { type AnyEngine, detectWith, measureKinds, measureRepetition, measureTexts } from './texts.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    before: { type: 'string' },
    commit: { type: 'string', default: '' },
  },
});
const folder = positionals[0] ?? join(root, '../shared/datasets');
const cases = [...readCases(join(root, 'data/training/policies')), ...readCases(join(folder, 'policies'))];
const bank = makeBank(cases, await readOrdinary(join(folder, 'corpus')));
const material = readMaterial(folder);
const documents = material.find(({ title }) => title === 'long technical documents');

function measureAll(engine: AnyEngine): { policies: Row[]; texts: Row[]; groups: Judgement['policyGroups'] } {
  const detect = detectWith(engine);
  const { rows, groups } = measurePolicies(engine, bank);
  const texts = measureTexts(detect, material);
  if (documents !== undefined) texts.push(measureRepetition(detect, documents));
  return { policies: rows, texts, groups };
}

const labExamples = [8, 12];
/** What decision 053 measured of the lab before its rules were made stricter. */
const labBefore: Readonly<Record<number, { auroc: number; rise: number; miss: number }>> = {
  8: { auroc: 0.754, rise: 0.147, miss: -0.085 },
  12: { auroc: 0.747, rise: 0.154, miss: -0.064 },
};
const note = 'decision 053';

async function measureLabs(): Promise<Row[]> {
  const engine = await loadTextEngine();
  const every = cases.filter(({ heldOut }, i) => heldOut && i % 2 === 0);
  const rows: Row[] = [];
  for (const examples of labExamples) {
    const found: LabCase[] = [];
    for (const [i, each] of every.entries())
      found.push(await measureLab(engine, each, { examples, seed: i + 1, tier: 'high' }));
    const row = (
      what: string,
      of: (one: LabCase) => number | undefined,
      goal: Row['goal'],
      value?: number,
    ): Row => ({
      title: `${examples} examples: ${what}`,
      now: overPolicies(found.map(of)),
      ...(goal && { goal }),
      ...(value !== undefined && { before: { value, note } }),
    });
    const was = labBefore[examples];
    rows.push(
      row('AUROC', ({ after }) => after.auroc, { least: 0.85 }, was?.auroc),
      row(
        'false alarms, after less before',
        ({ before, after }) => after.falsePositiveRate - before.falsePositiveRate,
        { most: 0.03 },
        was?.rise,
      ),
      row(
        'false alarms, lab − truth',
        ({ estimate, after }) => estimate && estimate.falsePositiveRate - after.falsePositiveRate,
        { least: -0.05, most: 0.05 },
        was?.miss,
      ),
      row('AUROC, lab − truth', ({ estimate, after }) => estimate && estimate.auroc - after.auroc, {
        least: -0.05,
        most: 0.05,
      }),
    );
  }
  return rows;
}

/** Adds to each row what was measured before under the same title. */
const beside = (rows: readonly Row[], earlier: readonly Row[]): Row[] =>
  rows.map((row) => {
    const before = earlier.find(({ title }) => title === row.title)?.now;
    return before === undefined ? row : { ...row, before };
  });

const file = join(modelsFolder, 'judgement.json');
const last = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Judgement) : undefined;
/** What the last report says of before, as rows. */
const remembered = (rows: readonly Row[] = []): Row[] =>
  rows.flatMap(({ title, before }) =>
    before === undefined || 'note' in before ? [] : [{ title, now: before }],
  );

async function measureBefore(): Promise<Pick<Judgement, 'before' | 'policies' | 'texts'>> {
  if (values.before === undefined)
    return { before: last?.before, policies: remembered(last?.policies), texts: remembered(last?.texts) };
  const path = pathToFileURL(join(values.before, 'src/engine/text/engine.ts')).href;
  const { loadTextEngine: load } = (await import(path)) as { loadTextEngine: () => Promise<AnyEngine> };
  const engine = await load();
  const { policies, texts } = measureAll(engine);
  return { before: { engine: engine.version, commit: values.commit }, policies, texts };
}

const engine = await loadTextEngine();
const now = measureAll(engine);
const earlier = await measureBefore();
const report: Judgement = {
  weights: hashWeights(),
  engine: engine.version,
  before: earlier.before,
  policies: beside(now.policies, earlier.policies),
  lab: await measureLabs(),
  texts: beside(now.texts, earlier.texts),
  policyGroups: now.groups,
  kinds: measureKinds(detectWith(engine), folder),
};
/** Four decimals, so that the file can be read and two runs compared. */
const rounded = (_: string, value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toFixed(4)) : value;
const json = `${JSON.stringify(report, rounded, 1)}\n`;
console.log(pageOf(JSON.parse(json) as Judgement));
if (values.write) {
  writeFileSync(file, json);
  writeFileSync(join(modelsFolder, 'judgement.md'), pageOf(JSON.parse(json) as Judgement));
}
