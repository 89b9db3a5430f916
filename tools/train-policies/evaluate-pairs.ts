/**
 * Measures the embedded engine on policies of one sentence: `node tools/train-policies/evaluate-pairs.ts [folder]`, files
 * as in `data/training/policies/pairs`, those of the author who is kept apart by default. Prints totals alone: the share
 * of each kind of text that is flagged at .5, and how often a policy's violation has more than its harmless text.
 */
import { join } from 'node:path';
import { wilsonInterval } from '../../src/engine/evaluation/intervals.ts';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { type Kind, kinds } from './cases.ts';
import { readPairs } from './pairs.ts';

const [folder = join(import.meta.dirname, '../../test/fixtures/policies')] = process.argv.slice(2);
const engine = await loadTextEngine();

const judged = readPairs(folder).map(({ source, texts }) => {
  const policy = engine.compile(source);
  const scores = {} as Record<Kind, number[]>;
  for (const kind of kinds)
    scores[kind] = texts[kind].map((text) => engine.score(engine.analyse(text), policy).probability);
  return scores;
});

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

for (const kind of kinds) {
  const all = judged.flatMap((scores) => scores[kind]);
  if (all.length === 0) continue;
  const count = all.filter((score) => score >= 0.5).length;
  const { low, high } = wilsonInterval(count, all.length);
  console.log(
    `${kind.padEnd(9)} flagged ${count} of ${all.length} = ${percent(count / all.length)} (${percent(low)} – ${percent(high)})`,
  );
}

/** Share of pairs of a violation and a harmless text of one policy that are in this order; half for equal ones. */
function inOrder(violation: Kind, harmless: Kind): string {
  const shares = judged.flatMap((scores) =>
    scores[violation].flatMap((high) =>
      scores[harmless].map((low): number => (high > low ? 1 : high === low ? 0.5 : 0)),
    ),
  );
  return (shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(3);
}

for (const violation of ['violating', 'plain'] as const)
  console.log(
    `${violation} above near ${inOrder(violation, 'near')}, above other ${inOrder(violation, 'other')}`,
  );
