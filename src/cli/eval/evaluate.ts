import { interrupted, Run } from './judge-rows.ts';
import { filesOf } from './inputs.ts';
import { Progress } from './progress.ts';
import type { Evaluation, Judged } from './report.ts';
import type { Report } from './report-schema.ts';
import type { RowJudge } from './row-judge.ts';
import { RowReader, type LabelledText, type RowSettings } from './rows.ts';
import { sampleOf } from './sample.ts';
import { ScoreTable } from './score-table.ts';

interface Asked {
  path: string;
  /** Where the negatives of sets come from that have none. */
  harmlessPath: string | undefined;
  settings: Report['settings'];
}

/** Runs until the end or the first Ctrl-C; a second one ends the process. */
function stopOnInterrupt(run: Run): Disposable {
  const onInterrupt = () => run.stop(interrupted);
  process.once('SIGINT', onInterrupt);
  return { [Symbol.dispose]: () => process.off('SIGINT', onInterrupt) };
}

/** A draw reads all rows before the first is judged. */
async function* untilStopped(rows: AsyncIterable<LabelledText>, run: Run): AsyncGenerator<LabelledText> {
  for await (const row of rows) {
    if (run.stoppedBy !== undefined) return;
    yield row;
  }
}

/** Only rows that are 0 in every column. */
async function* harmlessOf(
  rows: AsyncIterable<LabelledText>,
  leftOut: () => void,
): AsyncGenerator<LabelledText> {
  for await (const row of rows)
    if (row.labels.every((label) => label === 0)) yield row;
    else leftOut();
}

/** Reads and judges the rows of a path, and of the harmless rows beside it. */
export async function evaluate(
  judge: RowJudge,
  { path, harmlessPath, settings }: Asked,
): Promise<Evaluation> {
  const files = filesOf(path);
  const harmlessFiles = harmlessPath === undefined ? [] : filesOf(harmlessPath);
  const common = { columns: judge.columns.map(({ id }) => id), by: settings.by };
  const sources = settings.sources ?? undefined;
  const main = reading(
    { ...common, split: settings.split, sources, harmlessUnlessLabelled: false },
    judge.columns.length,
  );
  const beside = reading(
    { ...common, split: settings.harmless_split ?? 'all', sources: undefined, harmlessUnlessLabelled: true },
    judge.columns.length,
  );
  const progress = new Progress(() => [...main.counts.inputs, ...beside.counts.inputs], judge.cost);
  const run = new Run(judge, () => progress.tick());
  using _ = stopOnInterrupt(run);
  const drawn = (rows: AsyncIterable<LabelledText>) =>
    settings.limit === null ? rows : sampleOf(untilStopped(rows, run), settings.limit);
  let leftOut = 0;
  try {
    const harmless = harmlessOf(beside.reader.read(harmlessFiles), () => leftOut++);
    await run.judge(drawn(harmless), beside.table);
    await run.judge(drawn(main.reader.read(files)), main.table);
  } finally {
    progress.end();
  }
  return {
    judge,
    settings,
    main,
    harmless: harmlessPath === undefined ? undefined : { ...beside, leftOut },
    run,
  };
}

function reading(settings: RowSettings, columns: number): Judged & { reader: RowReader } {
  const reader = new RowReader(settings);
  return { reader, counts: reader.counts, table: new ScoreTable(columns, settings.by) };
}
