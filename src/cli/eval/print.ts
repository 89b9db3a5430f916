import { layout, share, whole } from './layout.ts';
import type { Report, WireMeasures } from './report-schema.ts';

const columns = [
  ['AUPRC', 'auprc'],
  ['AUROC', 'auroc'],
  ['best F1', 'best_f1'],
  ['at', 'best_f1_cut'],
  ['F1', 'f1'],
  ['recall', 'recall'],
  ['FPR', 'false_positive_rate'],
  ['R@1%', 'recall_at_1_percent_fpr'],
  ['R@5%', 'recall_at_5_percent_fpr'],
  ['ECE', 'calibration_error'],
] as const;

const figures = (measures: Omit<WireMeasures, 'shared_negatives'>) =>
  columns.map(([, name]) => share(measures[name]));

/** Sets with positives; sets without appear in the table of harmless rows, or here if they have none of those either. */
function shownEntries({ results, harmless }: Report): Report['results'] {
  const shown = new Set([
    ...results.filter(({ positives }) => positives > 0).map(({ set }) => set),
    ...harmless.map(({ set }) => set),
  ]);
  return results.filter(({ set, positives }) => positives > 0 || !shown.has(set));
}

function mainTable(report: Report): string | undefined {
  const entries = shownEntries(report);
  if (entries.length === 0) return undefined;
  const rows = entries.map((entry) => [
    `${entry.set} / ${entry.detector}${entry.few_rows ? ' *' : ''}`,
    whole(entry.positives),
    `${whole(entry.negatives)}${entry.shared_negatives ? ' s' : ''}`,
    ...figures(entry),
  ]);
  const perDetector = report.macro.filter(({ detector, entries: number }) => detector === null || number > 1);
  const macro = perDetector.map(({ detector, entries: number, ...measures }) => [
    `mean of ${number} / ${detector ?? 'all'}`,
    '',
    '',
    ...figures(measures),
  ]);
  const header = ['set / detector', 'pos', 'neg', ...columns.map(([title]) => title)];
  return layout(header, [...rows, ...macro]);
}

function notes(report: Report): string[] {
  const entries = shownEntries(report);
  const found: string[] = [];
  if (entries.some(({ shared_negatives }) => shared_negatives))
    found.push(
      `s: this set has positives alone; its negatives are the harmless rows of ${
        report.harmless_inputs.length > 0 ? '--harmless' : 'all sets of this input'
      }.`,
    );
  if (entries.some(({ negatives }) => negatives === 0))
    found.push('–: there are no harmless rows to compare with; name some with --harmless <file>.');
  if (entries.some(({ few_rows }) => few_rows))
    found.push('*: fewer than 10 positives or negatives; left out of the means where others have more.');
  return found;
}

function harmlessTable({ harmless, detectors }: Report): string | undefined {
  if (harmless.length === 0) return undefined;
  const header = ['harmless rows flagged', 'rows', 'any', ...detectors.map(({ id }) => id)];
  const rows = harmless.map(({ set, rows: number, any, each }) => [
    set,
    whole(number),
    share(any),
    ...detectors.map(({ id }) => share(each[id] ?? null)),
  ]);
  return layout(header, rows);
}

const mostValues = 30;

function sliceTable(report: Report, field: string): string | undefined {
  const slices = report.slices.filter((slice) => slice.field === field);
  const values = [...new Set(slices.map(({ value }) => value))];
  const shown = field === 'length' ? values.toSorted((a, b) => parseInt(a, 10) - parseInt(b, 10)) : values;
  const rows = shown
    .slice(0, mostValues)
    .flatMap((value) =>
      slices
        .filter((slice) => slice.value === value && (slice.positives > 0 || report.detectors.length === 1))
        .map((slice) => [
          `${value} / ${slice.detector}`,
          whole(slice.positives),
          whole(slice.negatives),
          ...figures(slice),
        ]),
    );
  if (rows.length === 0) return undefined;
  const title = field === 'length' ? 'characters' : field;
  const table = layout([`${title} / detector`, 'pos', 'neg', ...columns.map(([name]) => name)], rows);
  const more = values.length - mostValues;
  return more > 0 ? `${table}\n${more} further values of ${field} stand in --json alone.` : table;
}

function counted({ counts, inputs, harmless_inputs }: Report): string {
  const parts = [
    `${whole(counts.judged)} rows of ${inputs.length} ${inputs.length === 1 ? 'file' : 'files'} judged`,
  ];
  if (harmless_inputs.length > 0) parts.push(`${whole(counts.harmless_judged)} harmless rows beside them`);
  if (counts.broken > 0) parts.push(`${whole(counts.broken)} broken`);
  if (counts.not_judged > 0) parts.push(`${whole(counts.not_judged)} not judged`);
  if (counts.unlabelled > 0) parts.push(`${whole(counts.unlabelled)} without a label that is measured`);
  if (counts.other_sources > 0) parts.push(`${whole(counts.other_sources)} of other sources left out`);
  for (const [split, rows] of Object.entries(counts.other_splits))
    parts.push(`${whole(rows)} of split ${split} left out`);
  if (counts.harmful_in_harmless > 0)
    parts.push(
      `${whole(counts.harmful_in_harmless)} rows of --harmless left out, since not all labels are 0`,
    );
  return `${parts.join(' · ')}.`;
}

function judgedBy({ engine, settings, detectors }: Report): string {
  if (engine.kind === 'guard') return `Judged by the guard ${engine.guard} of Bulwark ${engine.version}.`;
  const custom =
    settings.policies_sha256 === null ? 'nine built-in detectors' : `${detectors.length} policies`;
  if (engine.kind !== 'embedded')
    return `Judged by the engine ${engine.kind}: ${custom}, threshold ${settings.threshold}, strictness ${settings.strictness}.`;
  return `Judged by the embedded engine ${engine.version}: ${custom}, threshold ${settings.threshold}, strictness ${settings.strictness}.`;
}

function costOf({ cost, counts }: Report): string[] {
  if (cost === undefined) return [];
  const tokens = `${whole(cost.prompt_tokens)} tokens in, ${whole(cost.completion_tokens)} out`;
  const rows = `${whole(cost.rows_asked)} of ${whole(counts.judged + counts.harmless_judged)} rows`;
  return [`The language model was asked about ${rows}: ${whole(cost.calls)} calls, ${tokens}.`];
}

/** What went wrong with single rows, for standard error; empty when nothing did. */
export function warningsOf({ counts, first_broken, first_not_judged }: Report): string[] {
  const rows = (title: string, all: number, first: Report['first_broken']) =>
    all === 0
      ? []
      : [
          `${title}: ${whole(all)}${all > first.length ? `, the first ${first.length} of them` : ''}:`,
          ...first.map(({ path, line, why }) => `  ${path}:${line}  ${why}`),
        ];
  const unknown = Object.entries(counts.unknown_ids).map(([id, number]) => `${id} (${whole(number)} rows)`);
  return [
    ...rows('Broken rows', counts.broken, first_broken),
    ...rows('Rows that could not be judged', counts.not_judged, first_not_judged),
    ...(unknown.length > 0 ? [`Labels that no detector answers to: ${unknown.join(', ')}.`] : []),
  ];
}

/** The report as text. */
export function printed(report: Report): string {
  return [
    [
      judgedBy(report),
      counted(report),
      ...costOf(report),
      ...(report.stopped_by === null ? [] : [`Stopped early: ${report.stopped_by}`]),
    ].join('\n'),
    [mainTable(report) ?? 'No row is labelled 1.', ...notes(report)].join('\n'),
    harmlessTable(report),
    sliceTable(report, 'length'),
    ...report.settings.by.map((field) => sliceTable(report, field)),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}
