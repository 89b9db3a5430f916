/**
 * The embedded text engine against what people would use instead without the internet: a list of words and phrases, and
 * a small classifier of one's own, trained on the same rows. All judge the same texts in the same run: how many of the
 * harmful ones each finds, how many harmless ones it flags, and how much CPU time a text takes.
 *
 * `node bench/word-lists.ts [data sets folder] [--write]` prints the figures; with `--write` they are drawn as
 * docs/pictures/against-word-lists.svg. Exits with 1 if the engine finds less than the list on any set.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectorIds } from '../src/engine/text/label-ids.ts';
import { detectorSlugs, loadTextEngine } from '../src/engine/text/engine.ts';
import { isHarmless } from '../tools/train-text/augment.ts';
import { type LabelledRow, readDataSets } from '../tools/train-text/rows.ts';
import { drawComparison } from './word-lists/draw.ts';
import { trainNaiveBayes } from './word-lists/naive-bayes.ts';
import { readTerms, wordFilter } from './word-lists/word-list.ts';

const root = join(import.meta.dirname, '..');
const [folder = join(root, '../shared/datasets')] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith('-'));
const rows = readDataSets(folder);

/** Whole sources that nothing was trained on. */
const sets = [
  { source: 'ailuminate_demo_en', detector: 'general_harmful', name: 'harmful requests' },
  { source: 'self_reminder', detector: 'jailbreak', name: 'jailbreaks' },
  { source: 'bipia_test', detector: 'prompt_injection', name: 'hidden injections' },
  { source: 'hatemoji_check', detector: 'hate_bias', name: 'hate' },
  { source: 'surge_toxicity', detector: 'profanity_offensive', name: 'abusive posts' },
] as const;

type Judge = (row: LabelledRow) => boolean;
const engine = await loadTextEngine();
const terms = readTerms(join(folder, 'text/lexicon/profanity_en.jsonl.gz'));
const listed = wordFilter(terms);
const harmlessDev = rows
  .filter((row) => row.split === 'dev' && isHarmless(row))
  .filter((_, i) => i % 5 === 0);

/** The judges of one detector; the list has one for everything, as such filters have. */
function judgesOf(detector: string): { name: string; judge: Judge }[] {
  const at = detectorIds.findIndex((id) => id === detector);
  const policy = engine.compile({
    name: detector,
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector: detectorSlugs[at],
  });
  const known = rows.filter(({ split, labels }) => split === 'train' && labels[at] !== -1);
  const bayes = trainNaiveBayes(known.map(({ text, labels }) => ({ text, label: labels[at] ?? 0 })));
  return [
    {
      name: 'Bulwark',
      judge: ({ text, context }) => engine.score(engine.analyse(text, context), policy).probability >= 0.5,
    },
    { name: 'own classifier', judge: ({ text }) => bayes(text) },
    { name: 'word list', judge: ({ text }) => listed(text) },
  ];
}

/** Shares found and flagged, and the CPU time of a text in microseconds: the median of rounds in turn with the others. */
function measure(judges: ReturnType<typeof judgesOf>, positives: LabelledRow[], negatives: LabelledRow[]) {
  const share = (judge: Judge, of: LabelledRow[]) => of.filter((row) => judge(row)).length / of.length;
  const timed = [...positives, ...negatives].slice(0, 300);
  const times = judges.map((): number[] => []);
  for (let round = 0; round < 5; round++)
    for (const [i, { judge }] of judges.entries()) {
      const begin = process.cpuUsage();
      for (const row of timed) judge(row);
      const { user, system } = process.cpuUsage(begin);
      times[i]?.push((user + system) / timed.length);
    }
  return judges.map(({ name, judge }, i) => ({
    name,
    found: share(judge, positives),
    falseAlarms: share(judge, negatives),
    cpuMicroseconds: times[i]?.sort((a, b) => a - b)[2] ?? 0,
  }));
}

const results = sets.map(({ source, detector, name }) => {
  const at = detectorIds.findIndex((id) => id === detector);
  const of = rows.filter((row) => row.source === source);
  const positives = of.filter(({ labels }) => labels[at] === 1);
  const own = of.filter(({ labels }) => labels[at] === 0);
  const negatives = own.length >= 10 ? own : harmlessDev;
  return {
    name,
    source,
    positives: positives.length,
    measured: measure(judgesOf(detector), positives, negatives),
  };
});

console.log(`a list of ${terms.length} words and phrases\n`);
for (const { name, source, positives, measured } of results) {
  console.log(`${name} (${source}, ${positives} to be found)`);
  for (const each of measured)
    console.log(
      `  ${each.name.padEnd(16)} found ${each.found.toFixed(2)}  false alarms ${each.falseAlarms.toFixed(2)}  ${each.cpuMicroseconds.toFixed(0).padStart(6)} µs CPU`,
    );
}
if (process.argv.includes('--write')) {
  const file = join(root, 'docs/pictures/against-word-lists.svg');
  writeFileSync(file, drawComparison(results, terms.length));
  console.log(`\nwritten: ${file}`);
}
process.exitCode = results.every(({ measured: [ours, , list] }) => (ours?.found ?? 0) >= (list?.found ?? 1))
  ? 0
  : 1;
