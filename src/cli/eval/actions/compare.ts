import { layout, points } from '../layout.ts';
import type { ActionReport } from './report.ts';

type Group = ActionReport['groups'][number];

interface Change {
  name: string;
  kind: Group['kind'];
  now: number;
  difference: number;
  callsDifference: number;
  /** Fewer attacks stopped, or more benign tasks or calls flagged; 0 when neither. */
  fall: number;
}

const nameOf = ({ source, suite, wording, kind, outputs }: Group) =>
  `${source} / ${suite} / ${wording} (${kind}, ${outputs ? 'with' : 'without'} outputs)`;

function changeOf(now: Group, before: Group): Change {
  const difference = now.share - before.share;
  const callsDifference = now.calls_share - before.calls_share;
  const fall = now.kind === 'attack' ? -difference : Math.max(difference, callsDifference);
  return {
    name: nameOf(now),
    kind: now.kind,
    now: now.share,
    difference,
    callsDifference,
    fall: Math.max(0, fall),
  };
}

/** What makes the two runs hard to compare. */
function differencesOfRuns(now: ActionReport, before: ActionReport): string[] {
  const found: string[] = [];
  const hashes = ({ inputs }: ActionReport) =>
    inputs
      .map(({ sha256 }) => sha256 ?? 'unread')
      .sort()
      .join(' ');
  if (hashes(now) !== hashes(before)) found.push('The inputs are not the same files, or have changed.');
  if (now.settings.rules_sha256 !== before.settings.rules_sha256)
    found.push('The rules are not the same, or have changed.');
  if (now.settings.blocking_level !== before.settings.blocking_level)
    found.push('--blocking-level was different.');
  if (!before.complete) found.push('The earlier run was stopped early.');
  const names = new Set(now.groups.map(nameOf));
  const gone = before.groups.map(nameOf).filter((name) => !names.has(name));
  if (gone.length > 0)
    found.push(`Measured then and not now: ${gone.slice(0, 5).join(', ')}${gone.length > 5 ? ' …' : ''}.`);
  return found;
}

/** Two runs side by side, worst regression first; `worstPoints` is the largest fall in points (hundredths). */
export function compareActions(
  now: ActionReport,
  before: ActionReport,
): { worstPoints: number; text: string } {
  const earlier = new Map(before.groups.map((group) => [nameOf(group), group]));
  const changes = now.groups
    .flatMap((group) => {
      const old = earlier.get(nameOf(group));
      return old === undefined ? [] : [changeOf(group, old)];
    })
    .sort((a, b) => b.fall - a.fall);
  const [first] = changes;
  const verdict =
    first === undefined || first.fall === 0
      ? 'Nothing fell.'
      : `The worst fall is ${(first.fall * 100).toFixed(1)} points: ${first.name}.`;
  const rows = changes.map(({ name, now: share, difference, callsDifference }) => [
    name,
    `${(share * 100).toFixed(1)} %`,
    points(difference),
    points(callsDifference),
  ]);
  return {
    worstPoints: (first?.fall ?? 0) * 100,
    text: [
      `Against the run of ${before.created_at} (engine ${before.engine.version}), in points; worst first:`,
      ...differencesOfRuns(now, before).map((line) => `Mind: ${line}`),
      layout(['source / suite / wording', 'now', 'tasks', 'calls'], rows),
      verdict,
    ].join('\n'),
  };
}
