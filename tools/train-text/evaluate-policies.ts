/**
 * Measures custom policies compiled from their text only: each policy against the rows of all others. `node
 * tools/train-text/evaluate-policies.ts [data sets folder] [--own folder]`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { atCut } from '../../src/engine/evaluation/confusion.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import { isHarmless } from './augment.ts';
import { policyCases } from './policy-cases.ts';
import { readDataSets, readOwnRows } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { own: { type: 'string', default: join(root, 'data/training') } },
});
const engine = await loadTextEngine();
const rows = readDataSets(positionals[0] ?? join(root, '../shared/datasets'));
const harmless = [...rows, ...readOwnRows(values.own)]
  .filter((row) => row.split === 'dev' && isHarmless(row))
  .filter((_, i) => i % 4 === 0);
const analysed = new Map(
  [...rows.filter(({ source }) => policyCases.some((each) => each.source === source)), ...harmless].map(
    (row) => [row, engine.analyse(row.text)],
  ),
);
const areas: number[] = [];
for (const { source, categories, name, description, block, safe } of policyCases) {
  const policy = engine.compile({ name, description, blockActivities: block, safeActivities: safe });
  const set = rows.filter((row) => row.source === source);
  const probability = (row: (typeof rows)[number]) => {
    const analysis = analysed.get(row);
    return analysis === undefined ? 0 : engine.score(analysis, policy).probability;
  };
  const scores = set.map(probability);
  const labels = set.map(({ category }) => (categories.includes(category ?? '') ? 1 : 0));
  const area = areaUnderRoc(scores, labels);
  areas.push(area);
  const { recall, falsePositiveRate } = atCut(scores, labels, 0.5);
  const alarms = harmless.filter((row) => probability(row) >= 0.5).length / harmless.length;
  const cells = [area, recall, falsePositiveRate, alarms].map((value) => value.toFixed(3));
  console.log(
    name.padEnd(24),
    `AUROC ${cells[0]}  recall ${cells[1]}  neighbours flagged ${cells[2]}  harmless flagged ${cells[3]}`,
  );
}
console.log('macro AUROC', (areas.reduce((a, b) => a + b, 0) / areas.length).toFixed(3));
