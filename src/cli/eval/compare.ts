import { layout, points, share } from './layout.ts';
import type { Report, WireMeasures } from './report-schema.ts';

const compared = [
  ['AUPRC', 'auprc', 1],
  ['AUROC', 'auroc', 1],
  ['F1', 'f1', 1],
  ['recall', 'recall', 1],
  ['FPR', 'false_positive_rate', -1],
  ['R@1%', 'recall_at_1_percent_fpr', 1],
] as const;

/**
 * The measures that show a regression. Recall and false positives alone are no regression each, since moving the cut
 * trades one for the other; F1 sees both.
 */
const judgedBy = ['auprc', 'auroc', 'f1'] as const;

interface Change {
  name: string;
  /** New minus old, in the order of `compared`; null where either has no such measure. */
  differences: (number | null)[];
  /** The largest fall among the measures that show a regression; 0 when none falls. */
  fall: number;
  now: number | null;
}

type Named = Omit<WireMeasures, 'shared_negatives'>;

const difference = (now: number | null | undefined, before: number | null | undefined): number | null =>
  typeof now === 'number' && typeof before === 'number' ? now - before : null;

function change(name: string, now: Named, before: Named): Change {
  const falls = judgedBy.map((measure) => -(difference(now[measure], before[measure]) ?? 0));
  return {
    name,
    differences: compared.map(([, measure]) => difference(now[measure], before[measure])),
    fall: Math.max(0, ...falls),
    now: now.auprc,
  };
}

/** Harmless rows have one measure, how many are flagged: a rise is a fall. */
function alarmChange(now: Report['harmless'][number], before: Report['harmless'][number]): Change {
  const rise = now.any - before.any;
  return {
    name: `${now.set} / harmless, any`,
    differences: compared.map(([title]) => (title === 'FPR' ? rise : null)),
    fall: Math.max(0, rise),
    now: null,
  };
}

export interface Comparison {
  /** The largest fall of any set and detector, in points (hundredths). */
  worstPoints: number;
  text: string;
}

function changesOf(now: Report, before: Report): Change[] {
  const key = ({ set, detector }: { set: string; detector: string }) => `${set} / ${detector}`;
  const earlier = new Map(before.results.map((entry) => [key(entry), entry]));
  const alarms = new Map(before.harmless.map((each) => [each.set, each]));
  return [
    ...now.results.flatMap((entry) => {
      const old = earlier.get(key(entry));
      return old === undefined || (entry.positives === 0 && old.positives === 0)
        ? []
        : [change(key(entry), entry, old)];
    }),
    ...now.harmless.flatMap((each) => {
      const old = alarms.get(each.set);
      return old === undefined ? [] : [alarmChange(each, old)];
    }),
  ];
}

/** What makes the two runs hard to compare. */
function differencesOfRuns(now: Report, before: Report): string[] {
  const found: string[] = [];
  const hashes = (report: Report) =>
    [...report.inputs, ...report.harmless_inputs]
      .map(({ sha256 }) => sha256 ?? 'unread')
      .sort()
      .join(' ');
  if (hashes(now) !== hashes(before)) found.push('The inputs are not the same files, or have changed.');
  for (const name of ['threshold', 'strictness', 'context', 'split', 'limit', 'policies_sha256'] as const)
    if (now.settings[name] !== before.settings[name])
      found.push(`--${name.replace('_sha256', '')} was different.`);
  if (now.engine.kind !== before.engine.kind)
    found.push(`The earlier run was judged by ${before.engine.kind}.`);
  if (!before.complete) found.push('The earlier run was stopped early.');
  const names = (report: Report) => report.results.map(({ set, detector }) => `${set} / ${detector}`);
  const gone = names(before).filter((name) => !names(now).includes(name));
  if (gone.length > 0)
    found.push(`Measured then and not now: ${gone.slice(0, 5).join(', ')}${gone.length > 5 ? ' …' : ''}.`);
  return found;
}

/** Two runs side by side, worst regression first. */
export function compare(now: Report, before: Report): Comparison {
  const changes = changesOf(now, before).sort((a, b) => b.fall - a.fall);
  const overall = (report: Report) => report.macro.find(({ detector }) => detector === null);
  const [macroNow, macroBefore] = [overall(now), overall(before)];
  const means =
    macroNow === undefined || macroBefore === undefined ? [] : [change('mean / all', macroNow, macroBefore)];
  const rows = [...changes, ...means].map(({ name, differences, now: auprc }) => [
    name,
    share(auprc),
    ...differences.map(points),
  ]);
  const [first] = changes;
  const verdict =
    first === undefined || first.fall === 0
      ? 'Nothing fell.'
      : `The worst fall is ${(first.fall * 100).toFixed(1)} points: ${first.name}.`;
  const text = [
    `Against the run of ${before.created_at} (engine ${before.engine.version}), in points; worst first:`,
    ...differencesOfRuns(now, before).map((line) => `Mind: ${line}`),
    layout(['set / detector', 'AUPRC now', ...compared.map(([title]) => title)], rows),
    verdict,
  ].join('\n');
  return { worstPoints: (first?.fall ?? 0) * 100, text };
}
