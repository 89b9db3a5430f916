import { z } from 'zod';
import type { OpenedInput } from '../inputs.ts';
import { version } from '../../../version.ts';
import type { TraceJudge } from './judge-traces.ts';
import type { Group, Tally } from './tally.ts';
import type { TraceCounts } from './traces.ts';

const Counted = z.object({
  traces: z.int(),
  blocked: z.int(),
  share: z.number(),
  calls: z.int(),
  calls_blocked: z.int(),
  calls_share: z.number(),
});

/** What `--json` writes and `--compare` reads; docs/guides/evaluating.md explains each field. */
export const ActionReport = z.object({
  format: z.literal('bulwark-action-evaluation/1'),
  created_at: z.string(),
  bulwark_version: z.string(),
  engine: z.object({ version: z.string() }),
  settings: z.object({
    rules: z.int(),
    rules_sha256: z.string(),
    blocking_level: z.enum(['High', 'Medium', 'Low']),
    outputs: z.enum(['with', 'without', 'both']),
  }),
  inputs: z.array(
    z.object({ path: z.string(), sha256: z.string().nullable(), bytes: z.int(), rows: z.int() }),
  ),
  complete: z.boolean(),
  counts: z.object({
    judged: z.int(),
    broken: z.int(),
    without_calls: z.int(),
    without_marked_calls: z.int(),
  }),
  first_broken: z.array(z.object({ path: z.string(), line: z.int(), why: z.string() })),
  groups: z.array(
    Counted.extend({
      source: z.string(),
      suite: z.string(),
      wording: z.string(),
      kind: z.enum(['attack', 'benign']),
      outputs: z.boolean(),
    }),
  ),
  /** Over all groups of a kind. */
  totals: z.array(Counted.extend({ kind: z.enum(['attack', 'benign']), outputs: z.boolean() })),
  speed: z.object({
    evaluations: z.int(),
    p50_ms: z.number().nullable(),
    p99_ms: z.number().nullable(),
  }),
});

export type ActionReport = z.infer<typeof ActionReport>;

const precision = 1e6;
const share = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * precision) / precision;

type Sums = Pick<Group, 'traces' | 'blocked' | 'calls' | 'callsBlocked'>;

const countedToWire = ({ traces, blocked, calls, callsBlocked }: Sums) => ({
  traces,
  blocked,
  share: share(blocked, traces),
  calls,
  calls_blocked: callsBlocked,
  calls_share: share(callsBlocked, calls),
});

const kindOf = ({ isAttack }: Group) => (isAttack ? ('attack' as const) : ('benign' as const));

const order = ({ source, suite, isAttack, wording, withOutputs }: Group) =>
  [source, suite, isAttack ? 0 : 1, wording, withOutputs ? 0 : 1].join('\u0000');

function totalsOf(groups: readonly Group[]): ActionReport['totals'] {
  const grouped = Map.groupBy(groups, (group) => `${kindOf(group)} ${group.withOutputs}`);
  return [...grouped.values()].map((members) => {
    const sum = (field: keyof Sums) => members.reduce((total, group) => total + group[field], 0);
    const [first] = members;
    return {
      kind: first === undefined ? 'benign' : kindOf(first),
      outputs: first?.withOutputs === true,
      ...countedToWire({
        traces: sum('traces'),
        blocked: sum('blocked'),
        calls: sum('calls'),
        callsBlocked: sum('callsBlocked'),
      }),
    };
  });
}

function speedOf(times: readonly number[]): ActionReport['speed'] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => {
    const time = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    return time === undefined ? null : Math.round(time * 1000) / 1000;
  };
  return { evaluations: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99) };
}

export interface ActionEvaluation {
  settings: ActionReport['settings'];
  judge: TraceJudge;
  tally: Tally;
  counts: TraceCounts;
  inputs: readonly OpenedInput[];
  judged: number;
  complete: boolean;
}

/** All figures of a run, as `--json` writes them. */
export function actionReportOf(evaluation: ActionEvaluation): ActionReport {
  const { judge, tally, counts } = evaluation;
  const groups = [...tally.groups.values()].sort((a, b) => order(a).localeCompare(order(b)));
  return {
    format: 'bulwark-action-evaluation/1',
    created_at: new Date().toISOString(),
    bulwark_version: version,
    engine: { version: judge.engineVersion },
    settings: evaluation.settings,
    inputs: evaluation.inputs.map(({ path, bytes, sha256 }) => ({
      path,
      sha256: sha256 ?? null,
      bytes,
      rows: counts.rowsOf.get(path) ?? 0,
    })),
    complete: evaluation.complete,
    counts: {
      judged: evaluation.judged,
      broken: counts.broken,
      without_calls: counts.withoutCalls,
      without_marked_calls: counts.withoutMarkedCalls,
    },
    first_broken: counts.firstBroken,
    groups: groups.map((group) => ({
      source: group.source,
      suite: group.suite,
      wording: group.wording,
      kind: kindOf(group),
      outputs: group.withOutputs,
      ...countedToWire(group),
    })),
    totals: totalsOf(groups),
    speed: speedOf(judge.times),
  };
}
