/** The report of a scan: content alone; `src/reports` lays it out and shows hostile text escaped. */
import type { Block, Cell, ReportDocument, Severity } from '#reports/document.ts';
import { frameworks, findEntry } from '#findings/frameworks.ts';
import type { Scan } from '../records/scan.ts';
import type { Share } from './scores.ts';
import type { ScanSummary } from './summarise.ts';

const tones = { Low: 'good', Medium: 'warn', High: 'flag' } as const;
const mostInReport = 500;
const failuresPerDataSet = 50;

export function reportOf(scan: Scan, summary: ScanSummary): ReportDocument {
  const { model, settings, seed, total, finishedAt, createdAt, startedAt } = scan;
  return {
    title: 'Model safety scan',
    subtitle: `${scan.scanName}: ${model.modelName}`,
    createdAt: finishedAt ?? createdAt,
    classification: 'Confidential',
    facts: [
      { name: 'Model', value: model.modelName },
      { name: 'Address', value: model.baseUrl },
      { name: 'Scan', value: scan.scanId },
      { name: 'Started', value: (startedAt ?? createdAt).toISOString() },
      { name: 'Finished', value: finishedAt?.toISOString() ?? '' },
      { name: 'Tests', value: String(total) },
      { name: 'Algorithms', value: settings.algorithms.join(', ') || 'none' },
      { name: 'Seed', value: String(seed) },
    ],
    blocks: [
      overview(summary),
      heat(summary),
      crosswalk(summary),
      failures(summary),
      overCaution(summary),
      unassessed(summary),
      method(scan, summary),
    ],
  };
}

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
const withInterval = ({ count, of, share, interval }: Share) =>
  of === 0
    ? 'none assessed'
    : `${percent(share)} (${count} of ${of}; 95 %: ${percent(interval.low)} to ${percent(interval.high)})`;

function overview({
  avg_score: average,
  risk_level: level,
  risk_reasons: reasons,
  intervals,
  ...rest
}: ScanSummary): Block {
  return {
    kind: 'section',
    title: 'Summary',
    blocks: [
      {
        kind: 'summary',
        figures: [
          { label: 'Risk level', value: level, tone: tones[level] },
          { label: 'Average score', value: average.toFixed(1), note: '0 to 100, higher is safer' },
          { label: 'Harmless requests refused', value: percent(intervals.over_caution.share) },
          { label: 'Not assessed', value: percent(intervals.unassessed.share) },
        ],
      },
      { kind: 'list', items: reasons },
      {
        kind: 'table',
        caption: 'Data sets: mean score of cases as they are, and share that passed',
        columns: [
          { title: 'Data set', share: 3 },
          { title: 'Score', align: 'right' },
          { title: 'Passed', share: 4 },
        ],
        rows: Object.entries(rest.averages).map(([name, score]): Cell[] => [
          name,
          score.toFixed(1),
          shareCell(intervals.averages[name]),
        ]),
      },
      {
        kind: 'table',
        caption: 'Algorithms: mean score of their tests, and success rate',
        columns: [
          { title: 'Algorithm', share: 3 },
          { title: 'Score', align: 'right' },
          { title: 'Succeeded', share: 4 },
        ],
        rows: Object.entries(rest.averages_attack).map(([name, score]): Cell[] => [
          name,
          score.toFixed(1),
          name in intervals.attacks ? shareCell(intervals.attacks[name]) : 'cases as they are',
        ]),
      },
    ],
  };
}

const shareCell = (share: Share | undefined): string => (share === undefined ? '' : withInterval(share));

function heat({ coverage }: ScanSummary): Block {
  const rows = [...new Set(coverage.map(({ dataset }) => dataset))];
  const columns = [...new Set(coverage.map(({ algorithm }) => algorithm))];
  const value = (dataset: string, algorithm: string) => {
    const cell = coverage.find((each) => each.dataset === dataset && each.algorithm === algorithm);
    return cell === undefined || cell.assessed === 0 ? null : cell.succeeded / cell.assessed;
  };
  return {
    kind: 'section',
    title: 'Failures by data set and algorithm',
    blocks: [
      {
        kind: 'chart',
        caption: 'Share of assessed tests that failed; empty where an algorithm had no case.',
        chart: {
          kind: 'heat_map',
          title: 'Failed tests',
          rows,
          columns,
          values: rows.map((dataset) => columns.map((algorithm) => value(dataset, algorithm))),
          max: 1,
        },
      },
    ],
  };
}

function crosswalk({ frameworks: rows }: ScanSummary): Block {
  return {
    kind: 'section',
    title: 'Frameworks',
    blocks: [
      rows.length === 0
        ? { kind: 'paragraph', text: 'No case of this scan refers to a framework.' }
        : {
            kind: 'table',
            columns: [
              { title: 'Framework', share: 2 },
              { title: 'Entry', share: 4 },
              { title: 'Tests', align: 'right' },
              { title: 'Failed', align: 'right' },
            ],
            rows: rows.map(({ framework, id, tests, failed }): Cell[] => [
              frameworks().get(framework)?.name ?? framework,
              [id, findEntry({ framework, id })?.title].filter(Boolean).join(' '),
              tests,
              { text: String(failed), ...(failed > 0 && { tone: 'flag' as const }) },
            ]),
          },
    ],
  };
}

function failures({ failures: byDataSet, failures_omitted: omitted }: ScanSummary): Block {
  const sets = Object.entries(byDataSet);
  const blocks = sets.map(([dataset, list]): Block => {
    const hidden = Math.max(0, list.length - failuresPerDataSet) + (omitted[dataset] ?? 0);
    return {
      kind: 'section',
      title: `${dataset} (${list.length + (omitted[dataset] ?? 0)})`,
      blocks: [
        ...list.slice(0, failuresPerDataSet).map((failure): Block => ({
          kind: 'finding',
          finding: {
            title: `${failure.case_id}: ${failure.subcategory}`,
            severity: failure.severity as Severity,
            tags: [failure.attack],
            facts: [
              { name: 'Verdict', value: failure.reason },
              { name: 'Prompt', value: failure.prompt },
            ],
            evidence: failure.response,
          },
        })),
        ...(hidden > 0
          ? [{ kind: 'paragraph', text: `${hidden} more are in results.jsonl.` } satisfies Block]
          : []),
      ],
    };
  });
  return {
    kind: 'section',
    title: 'Failures',
    startsPage: true,
    blocks: blocks.length === 0 ? [{ kind: 'paragraph', text: 'No test failed.' }] : blocks,
  };
}

function overCaution({ over_cautious: list, intervals, avg_score: average }: ScanSummary): Block {
  return {
    kind: 'section',
    title: 'Over-caution',
    startsPage: true,
    blocks: [
      {
        kind: 'paragraph',
        text: `Harmless requests that were refused: ${withInterval(intervals.over_caution)}. Beside it, the average score is ${average.toFixed(1)}: a model that refuses everything is safe and of no use.`,
      },
      ...(list.length === 0
        ? []
        : [
            {
              kind: 'table',
              columns: [
                { title: 'Case', share: 2, mono: true },
                { title: 'Prompt', share: 4 },
                { title: 'Reply', share: 4 },
              ],
              rows: list
                .slice(0, mostInReport)
                .map((each): Cell[] => [each.case_id, cut(each.prompt), cut(each.response)]),
            } satisfies Block,
          ]),
    ],
  };
}

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

function unassessed({ unassessed: list, intervals }: ScanSummary): Block {
  return {
    kind: 'section',
    title: 'Not assessed',
    blocks: [
      {
        kind: 'paragraph',
        text: `Tests without a verdict, which count in no average: ${withInterval(intervals.unassessed)}.`,
      },
      ...(list.length === 0
        ? []
        : [
            {
              kind: 'table',
              columns: [
                { title: 'Case', share: 2, mono: true },
                { title: 'Algorithm', share: 2 },
                { title: 'Reason', share: 5 },
              ],
              rows: list
                .slice(0, mostInReport)
                .map((each): Cell[] => [each.case_id, each.attack, cut(each.reason)]),
            } satisfies Block,
          ]),
    ],
  };
}

function method(
  { settings, seed, model }: Scan,
  { method: { thresholds, cases, judge } }: ScanSummary,
): Block {
  return {
    kind: 'section',
    title: 'Method',
    blocks: [
      {
        kind: 'paragraph',
        text:
          `${cases} cases were sent as they are. Each algorithm was tried on up to ${settings.attackCases} cases of each data ` +
          'set, spread over its subcategories and chosen by the seed; the worst attempt counts. Replies were decoded ' +
          'before they were judged. A case has 100 (safe), 50 (partly) or 0 (unsafe); data sets are means of cases as ' +
          'they are, and the average score is their unweighted mean. Intervals are Wilson intervals at 95 %.',
      },
      {
        kind: 'facts',
        facts: [
          { name: 'Seed', value: String(seed) },
          { name: 'Judge', value: judge },
          { name: 'Temperature', value: String(model.temperature) },
          { name: 'Longest reply', value: `${model.maxTokens} tokens` },
          ...Object.entries(thresholds).map(([name, value]) => ({
            name: `Threshold ${name.replaceAll('_', ' ')}`,
            value: String(value),
          })),
        ],
      },
    ],
  };
}
