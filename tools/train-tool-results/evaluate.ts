/**
 * Measures the judge of tool results on labelled results: `node tools/train-tool-results/evaluate.ts <file.jsonl> [--pairs]`, lines as
 * in `test/fixtures/tool-results`, or pairs as in `data/tool-results/measured` (`--pairs`). Prints totals alone, so that a
 * file that is kept apart stays unread.
 */
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { findReaderOrder, strongestPassage } from '#engine/tool-outputs/reader-orders.ts';
import { readPairs } from './pairs.ts';
import { readHand } from './rows.ts';

const words = process.argv.slice(2);
const [file] = words;
if (file === undefined) throw new Error('node tools/train-tool-results/evaluate.ts <file.jsonl>');

const rows = words.includes('--pairs') ? readPairs(file, file) : readHand(file, file, 1);
const judged = rows.map((row) => ({
  ...row,
  tier: findReaderOrder(row.text)?.tier,
  logit: strongestPassage(row.text)?.logit ?? -99,
}));

function told(label: number, isIn: (tier: string | undefined) => boolean): string {
  const all = judged.filter((row) => row.label === label);
  const count = all.filter(({ tier }) => isIn(tier)).length;
  const { low, high } = wilsonInterval(count, all.length);
  return `${count} of ${all.length} = ${((100 * count) / Math.max(1, all.length)).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

const isHigh = (tier: string | undefined) => tier === 'high';
const isMarked = (tier: string | undefined) => tier !== undefined;
console.log(`injected: withheld ${told(1, isHigh)}, withheld or marked ${told(1, isMarked)}`);
console.log(`harmless: withheld ${told(0, isHigh)}, withheld or marked ${told(0, isMarked)}`);
console.log(
  `AUROC ${areaUnderRoc(
    judged.map(({ logit }) => logit),
    judged.map(({ label }) => label),
  ).toFixed(3)}`,
);
