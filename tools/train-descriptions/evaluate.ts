/**
 * Measures the whole check on labelled definitions: `node tools/train-descriptions/evaluate.ts <file.jsonl> [--kinds]
 * [--list] [--half=a|b] [--pairs]`, lines as in `test/fixtures/tool-descriptions`, or pairs as in
 * `data/descriptions/measured` (`--pairs`). Prints totals alone, so that a file that is kept apart
 * stays unread, or also each kind, or also each row that was judged wrongly. Halves are by a hash of name and description.
 */
import { createHash } from 'node:crypto';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { checkTexts } from '#engine/descriptions/check-tool.ts';
import { judgeSentences } from '#engine/descriptions/judge-sentences.ts';
import { textsOf, type DescribedTool } from '#engine/descriptions/tool.ts';
import { readPairs } from './pairs.ts';
import { readFixture } from './rows.ts';

const [file = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const half = /--half=([ab])/.exec(process.argv.join(' '))?.[1];

const halfOf = ({ name, description }: DescribedTool): string =>
  (createHash('sha256').update(`descriptions-split:${name}\n${description}`).digest()[0] ?? 0) % 2 === 0
    ? 'a'
    : 'b';

const rows = process.argv.includes('--pairs')
  ? readPairs(file, file).map((row) => ({ ...row, manner: '' }))
  : readFixture(file);
const judged = rows
  .filter(({ tool }) => half === undefined || halfOf(tool) === half)
  .map((row) => {
    const { sentences } = judgeSentences(textsOf(row.tool));
    return {
      ...row,
      verdict: checkTexts(row.tool),
      logit: sentences[0]?.logit ?? -99,
      worst: sentences[0]?.unit.text ?? '',
    };
  });

function told(list: typeof judged, test: (row: (typeof judged)[number]) => boolean): string {
  const count = list.filter(test).length;
  const { low, high } = wilsonInterval(count, list.length);
  return `${count} of ${list.length} = ${((100 * count) / Math.max(1, list.length)).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

const isHigh = ({ verdict }: (typeof judged)[number]) => verdict.flagged;
const isMedium = ({ verdict }: (typeof judged)[number]) => verdict.tier !== 'none';
const poisoned = judged.filter(({ label }) => label === 1);
const harmless = judged.filter(({ label }) => label === 0);
console.log(`found: ${told(poisoned, isHigh)}; at medium or above: ${told(poisoned, isMedium)}`);
console.log(`harmless flagged: ${told(harmless, isHigh)}; at medium or above: ${told(harmless, isMedium)}`);
console.log(
  `AUROC of the learned judge alone: ${areaUnderRoc(
    judged.map(({ logit }) => logit),
    judged.map(({ label }) => label),
  ).toFixed(3)}`,
);
const kindsIn = () =>
  Map.groupBy(judged, ({ label, group }) => `${label === 1 ? 'poisoned' : 'harmless'} ${group}`);
// In a file that is kept apart a kind may have one row alone.
for (const [name, list] of process.argv.includes('--kinds') ? kindsIn() : [])
  console.log(`  ${name}: ${list.filter(isHigh).length} of ${list.length}`);
if (process.argv.includes('--list'))
  for (const row of judged
    .filter((each) => isHigh(each) !== (each.label === 1))
    .sort((a, b) => a.label - b.label))
    console.log(
      `${row.label === 1 ? 'MISSED' : 'FALSE '} ${row.logit.toFixed(2)} ${row.manner} ${row.tool.name}: ${row.worst.slice(0, 160)} ${row.label === 0 ? JSON.stringify(row.verdict.categoryScores) : ''}`,
    );
