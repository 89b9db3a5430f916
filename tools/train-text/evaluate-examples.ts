/**
 * Measures what custom policies learn from 5 and from 25 labelled examples of each class, on other rows: `node
 * tools/train-text/evaluate-examples.ts [data sets folder]`
 */
import { join } from 'node:path';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import { policyCases } from './policy-cases.ts';
import { Random } from '../../src/base/random.ts';
import { type LabelledRow, readDataSets } from './rows.ts';

const engine = await loadTextEngine();
const rows = readDataSets(process.argv[2] ?? join(import.meta.dirname, '../../../shared/datasets'));
const analysed = new Map(
  rows
    .filter(({ source }) => policyCases.some((each) => each.source === source))
    .map((row) => [row, engine.analyse(row.text)]),
);

function areaWith(perKind: number, { source, categories, ...texts }: (typeof policyCases)[number]): number {
  const { name, description, block, safe } = texts;
  const policy = engine.compile({ name, description, blockActivities: block, safeActivities: safe });
  const set = rows.filter((row) => row.source === source);
  const violates = ({ category }: LabelledRow) => categories.includes(category ?? '');
  const random = new Random(perKind);
  const learned = new Set([
    ...random.sample(set.filter(violates), perKind),
    ...random.sample(
      set.filter((row) => !violates(row)),
      perKind,
    ),
  ]);
  const examples = [...learned].map((row) => ({ text: row.text, violates: violates(row) }));
  const adapted = engine.adapt(policy, examples);
  const rest = set.filter((row) => !learned.has(row));
  const scores = rest.map((row) => {
    const analysis = analysed.get(row);
    return analysis === undefined ? 0 : engine.score(analysis, adapted).probability;
  });
  return areaUnderRoc(
    scores,
    rest.map((row) => (violates(row) ? 1 : 0)),
  );
}

for (const perKind of [5, 25]) {
  const areas = policyCases.map((policy) => areaWith(perKind, policy));
  const mean = areas.reduce((a, b) => a + b, 0) / areas.length;
  console.log(`${perKind} + ${perKind} judged examples: macro AUROC ${mean.toFixed(3)}`);
}
