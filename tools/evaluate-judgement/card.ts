/** The report on judgement as it ships: figures as JSON, and a page made from them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, type Goal, meets, type Row } from './figure.ts';
import type { PolicyGroup } from './policies.ts';
import type { KindLine } from './texts.ts';

/** The file `judgement.json`. */
export interface Judgement {
  /** SHA-256 of each file of weights that was measured. */
  weights: Record<string, string>;
  engine: string;
  /** Engine of the weights before, and the commit that has them. */
  before: { engine: string; commit: string } | undefined;
  policies: Row[];
  lab: Row[];
  texts: Row[];
  policyGroups: PolicyGroup[];
  kinds: KindLine[];
}

export const modelsFolder = join(import.meta.dirname, '../../data/models');
const weightFiles = ['text.bin', 'text.kinds.json', 'policies.bin'] as const;

/** SHA-256 of the weights that a report is about. */
export const hashWeights = (): Judgement['weights'] =>
  Object.fromEntries(
    weightFiles.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(modelsFolder, name)))
        .digest('hex'),
    ]),
  );

const short = (value: number) => (Number.isFinite(value) ? value.toFixed(3).replace(/^(-?)0\./, '$1.') : '–');

const withInterval = ({ value, low, high }: Figure) => `${short(value)} [${short(low)}, ${short(high)}]`;

const before = (row: Row) =>
  row.before === undefined
    ? '–'
    : 'note' in row.before
      ? `${short(row.before.value)} (${row.before.note})`
      : withInterval(row.before);

const goalOf = (goal: Goal | undefined) =>
  goal === undefined
    ? '–'
    : [
        ...(goal.least === undefined ? [] : [`≥ ${short(goal.least)}`]),
        ...(goal.most === undefined ? [] : [`≤ ${short(goal.most)}`]),
      ].join(', ');

function verdictOf({ now, goal }: Row): string {
  if (goal === undefined) return '–';
  if (!meets(now, goal)) return 'missed';
  return meets(now, goal, true) ? 'met' : 'met, not for certain';
}

const table = (head: readonly string[], lines: readonly (readonly string[])[]) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const rowTable = (rows: readonly Row[]) =>
  table(
    ['measured', 'before', 'now', 'of', 'goal', 'goal is', 'never sees the policy'],
    rows.map((row) => [
      row.title,
      before(row),
      withInterval(row.now),
      String(row.now.of),
      goalOf(row.goal),
      verdictOf(row),
      row.control === undefined ? '–' : withInterval(row.control),
    ]),
  );

const policyGroupTable = (groups: readonly PolicyGroup[]) =>
  table(
    ['group', 'policies', 'near', 'other', 'wrong', 'found'],
    groups.map(({ what, name, policies, figures }) => [
      `${what}: ${name}`,
      String(policies),
      ...[figures.near, figures.other, figures.wrong, figures.found].map(withInterval),
    ]),
  );

const textGroupTable = (rows: readonly Row[]) =>
  table(
    ['measured', 'group', 'share', 'of'],
    rows.flatMap(({ title, groups = [] }) =>
      groups.map(({ what, name, now }) => [title, `${what}: ${name}`, withInterval(now), String(now.of)]),
    ),
  );

const shown = (figure: Figure | undefined) => (figure === undefined ? '–' : short(figure.value));

const kindTable = (kinds: readonly KindLine[]) =>
  table(
    ['set', 'kind', 'detector', 'found', 'with kind', 'harmless flagged', 'with kind'],
    kinds.map((line) => [
      `\`${line.source}\``,
      line.kind,
      line.detector,
      shown(line.found),
      shown(line.foundWithKind),
      shown(line.flagged),
      shown(line.flaggedWithKind),
    ]),
  );

/** The page that is shown to readers. */
export function pageOf(report: Judgement): string {
  const { weights } = report;
  const hashes = Object.entries(weights).map(([name, hash]) => `\`${name}\` ${hash.slice(0, 12)}`);
  return `# How well the embedded engine judges

Written by \`node tools/evaluate-judgement/evaluate.ts <data sets folder>\`, about these weights: ${hashes.join(', ')} (engine \`${report.engine}\`). A test fails when the weights are others.

Brackets are 95 % intervals by bootstrap with a fixed seed: over policies, or over texts, where texts with the same first three words are drawn together. A goal is met for certain where the whole interval reaches it. ${report.before === undefined ? '' : `“Before” is measured by the same code on the same texts with the weights and the engine of commit \`${report.before.commit}\` (engine \`${report.before.engine}\`), the first version that is kept. Later training rows of ours are by the same hands as some of these texts, so that part of a gain may be manner. `}Nothing here was trained on: policies are of nineteen held-out trades; texts are of whole sets kept for measuring, of rows that wait for the next training, of the tenth of our rows that the weights are not fitted to (their patterns were trained on, so these figures flatter), and readme files of the packages that this project uses.

## Custom policies from their text alone

Areas under the ROC curve, means over policies; shares at .5. The last column is the same figure by a judge that never sees the policy: what it reaches was heard from how something is said.

${rowTable(report.policies)}

## The optimisation lab with few examples

Tier \`high\`, every second held-out policy; its other texts are the truth. “Lab − truth” is what the lab promised less what came true, mean over policies.

${rowTable(report.lab)}

## Built-in detectors

At .5. Offensive posts and comments are judged with \`context: comment\`, replies with \`context: reply\`.

${rowTable(report.texts)}

## Operating points by kind of text

${kindTable(report.kinds)}

## Custom policies by group

${policyGroupTable(report.policyGroups)}

## Texts by group

Groups of twenty texts or more.

${textGroupTable(report.texts)}
`;
}
