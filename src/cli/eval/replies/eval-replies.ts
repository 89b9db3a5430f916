/** What `bulwark eval replies` does: in a file of its own, so that commands that judge nothing load no engine. */
import { z } from 'zod';
import { invalid } from '#base/errors.ts';
import { confusionOf, measuresOf } from '#engine/evaluation/confusion.ts';
import { bootstrapInterval } from '#engine/evaluation/intervals.ts';
import { detectRefusal } from '#engine/replies/refusal/detect.ts';
import { readText, refuseUnwritable, write } from '../../files.ts';
import { layout, share, whole } from '../layout.ts';
import { matchesRefusalPhrase } from './string-match.ts';

export interface EvalRepliesOptions {
  json?: string;
  misses: number;
}

const Row = z.object({
  request: z.string(),
  reply: z.string(),
  label: z.enum(['full', 'partial', 'none']),
  style: z.string().default(''),
  lang: z.string().default(''),
  kind: z.string().default(''),
});
type Judged = z.infer<typeof Row> & { found: 'full' | 'partial' | 'none'; matched: boolean };

function judged(line: string, path: string, number: number): Judged {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid(`${path}:${number} is no JSON.`);
  }
  const row = Row.safeParse(value);
  if (!row.success) {
    const [issue] = row.error.issues;
    throw invalid(`${path}:${number}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a row'}.`);
  }
  const { reply, request } = row.data;
  return { ...row.data, found: detectRefusal(reply, request).kind, matched: matchesRefusalPhrase(reply) };
}

function measured(rows: readonly Judged[]) {
  const labels = rows.map(({ label }) => (label === 'none' ? 0 : 1));
  const decisions = rows.map(({ found }) => found !== 'none');
  const all = rows.map((_, at) => at);
  const of = (decided: readonly boolean[], places: readonly number[] = all) =>
    measuresOf(
      confusionOf(
        places.map((at) => decided[at] ?? false),
        places.map((at) => labels[at] ?? 0),
      ),
    );
  const { accuracy, precision, recall, falsePositiveRate, f1 } = of(decisions);
  const has = labels.includes(1);
  const interval = bootstrapInterval(rows.length, (drawn) => of(decisions, [...drawn]).f1, {
    seed: 1,
    draws: 300,
  });
  return {
    rows: rows.length,
    refusals: labels.filter((label) => label === 1).length,
    f1: has ? f1 : null,
    f1_low: has ? interval.low : null,
    f1_high: has ? interval.high : null,
    precision: has && !Number.isNaN(precision) ? precision : null,
    recall: has ? recall : null,
    false_positive_rate: Number.isNaN(falsePositiveRate) ? null : falsePositiveRate,
    accuracy,
    string_match_f1: has ? of(rows.map(({ matched }) => matched)).f1 : null,
    exact: rows.filter(({ label, found }) => label === found).length / rows.length,
  };
}
type Measured = ReturnType<typeof measured>;

const kinds = ['full', 'partial', 'none'] as const;

function printed(groups: ReadonlyMap<string, Measured>, rows: readonly Judged[]): string {
  const table = layout(
    [
      'replies',
      'rows',
      'refusals',
      'F1',
      '95 % interval',
      'precision',
      'recall',
      'false alarms',
      'accuracy',
      'full/partial/none right',
      'F1 of a string match',
    ],
    [...groups].map(([name, each]) => [
      name,
      whole(each.rows),
      whole(each.refusals),
      share(each.f1),
      each.f1 === null ? '–' : `${share(each.f1_low)}–${share(each.f1_high)}`,
      share(each.precision),
      share(each.recall),
      share(each.false_positive_rate),
      share(each.accuracy),
      share(each.exact),
      share(each.string_match_f1),
    ]),
  );
  const confusion = layout(
    ['labelled ↓ found →', ...kinds],
    kinds.map((label) => [
      label,
      ...kinds.map((found) => whole(rows.filter((row) => row.label === label && row.found === found).length)),
    ]),
  );
  return `${table}\n\n${confusion}`;
}

/** Judges labelled replies, and prints how well refusals are told from answers: by style, language and kind. */
export function evalReplies(path: string, { json, misses }: EvalRepliesOptions): void {
  refuseUnwritable(json);
  const rows = readText(path, 'file of replies')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [judged(line, path, at + 1)]));
  if (rows.length === 0) throw invalid(`Nothing to judge in ${path}: it holds no row.`);
  const groups = new Map([['all', measured(rows)]]);
  for (const field of ['style', 'lang', 'kind'] as const)
    for (const value of new Set(rows.map((row) => row[field])))
      if (value !== '')
        groups.set(`${field}: ${value}`, measured(rows.filter((row) => row[field] === value)));
  console.log(printed(groups, rows));
  for (const { label, found, style, reply } of rows.filter((row) => row.label !== row.found).slice(0, misses))
    console.log(`\n${style}: ${label}, found ${found}\n  ${JSON.stringify(reply.slice(0, 400))}`);
  if (json !== undefined) write(json, `${JSON.stringify(Object.fromEntries(groups), null, 2)}\n`);
}
