import { layout, share, whole } from './layout.ts';
import type { Report } from './report-schema.ts';

const measures = [
  ['AUPRC', 'auprc'],
  ['F1', 'f1'],
  ['recall', 'recall'],
  ['FPR', 'false_positive_rate'],
] as const;

/** Rows that are harmless in all columns, of all sets together. */
function alarms({ harmless }: Report): number | null {
  const rows = harmless.reduce((sum, set) => sum + set.rows, 0);
  return rows === 0 ? null : harmless.reduce((sum, set) => sum + set.any * set.rows, 0) / rows;
}

/** Several engines over the same rows, side by side: each detector over all sets, then what it costs. */
export function enginesTable(reports: readonly Report[]): string {
  const kinds = reports.map(({ engine }) => engine.kind);
  const detectors = [...new Set(reports.flatMap(({ pooled }) => pooled.map(({ detector }) => detector)))];
  const pooledOf = (report: Report, detector: string) =>
    report.pooled.find((each) => each.detector === detector && each.positives > 0);
  const shown = detectors.filter((detector) => reports.some((report) => pooledOf(report, detector)));
  const rows = shown.map((detector) => [
    detector,
    ...measures.flatMap(([, name]) =>
      reports.map((report) => share(pooledOf(report, detector)?.[name] ?? null)),
    ),
  ]);
  const header = [
    'all sets together',
    ...measures.flatMap(([title]) => kinds.map((kind) => `${title} ${kind}`)),
  ];
  const costs = reports.map((report) => [
    report.engine.kind,
    whole(report.counts.judged + report.counts.harmless_judged),
    whole(report.counts.not_judged),
    share(alarms(report)),
    whole(report.cost?.rows_asked ?? 0),
    whole(report.cost?.calls ?? 0),
    whole(report.cost?.prompt_tokens ?? 0),
    whole(report.cost?.completion_tokens ?? 0),
  ]);
  return [
    layout(header, rows),
    layout(
      [
        'engine',
        'rows',
        'not judged',
        'harmless flagged',
        'asked the model',
        'calls',
        'tokens in',
        'tokens out',
      ],
      costs,
    ),
  ].join('\n\n');
}
