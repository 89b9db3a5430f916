/** Two runs beside each other, told apart by tasks. */
import type { Queries } from '#base/db/database.ts';
import { mcNemar } from '#engine/evaluation/comparison.ts';
import { type RatesView, type RunStats, statsOf } from './stats.ts';
import { listEnds, type TaskEnding } from './store.ts';

const mostChanged = 500;

interface Pair {
  readonly before: TaskEnding;
  readonly after: TaskEnding;
}

const isAssessed = ({ status }: TaskEnding): boolean => status === 'passed' || status === 'failed';

/** A truth of tasks, counted over the pairs in which both runs have one. */
function paired(pairs: readonly Pair[], truth: (ending: TaskEnding) => boolean | null) {
  const known = pairs.filter(
    ({ before, after }) =>
      isAssessed(before) && isAssessed(after) && truth(before) !== null && truth(after) !== null,
  );
  const first = known.map(({ before }) => truth(before) === true);
  const second = known.map(({ after }) => truth(after) === true);
  const { onlyFirst, onlySecond, pValue } = mcNemar(first, second);
  const both = first.filter((holds, i) => holds && second[i] === true).length;
  return {
    tasks: known.length,
    both,
    only_before: onlyFirst,
    only_after: onlySecond,
    neither: known.length - both - onlyFirst - onlySecond,
    p_value: pValue,
  };
}

type Parts = Readonly<Record<string, RatesView>>;

const beside = (before: Parts, after: Parts) =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .sort()
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );

const side = ({ resultId, status, outcome }: TaskEnding) => ({ result_id: resultId, status, outcome });

/** New failures first, then what is not assessed any more, then what is passed now. */
const ranks: Readonly<Record<string, number>> = { failed: 0, error: 1, cancelled: 2, passed: 3 };

/** Figures of both runs, and what has changed; the runs themselves are added by the caller. */
export async function compareRuns(db: Queries, beforeId: string, afterId: string) {
  const [beforeStats, afterStats, beforeEnds, afterEnds] = await Promise.all([
    statsOf(db, beforeId),
    statsOf(db, afterId),
    listEnds(db, beforeId),
    listEnds(db, afterId),
  ]);
  const byTask = new Map(afterEnds.map((ending) => [ending.taskId, ending]));
  const pairs = beforeEnds.flatMap((before): Pair[] => {
    const after = byTask.get(before.taskId);
    return after === undefined ? [] : [{ before, after }];
  });
  const changed = pairs
    .filter(({ before, after }) => before.status !== after.status)
    .sort((a, b) => (ranks[a.after.status] ?? 4) - (ranks[b.after.status] ?? 4));
  const attacks = paired(pairs, ({ attackSuccess }) => attackSuccess);
  const before = attacks.both + attacks.only_before;
  const after = attacks.both + attacks.only_after;
  const parts = (of: 'by_risk_category' | 'by_domain' | 'by_vector') =>
    beside(beforeStats[of], afterStats[of]);
  return {
    rates: { before: beforeStats.total, after: afterStats.total } satisfies Record<string, RunStats['total']>,
    tasks_in_common: pairs.length,
    attack_success_fall: before === 0 ? null : 1 - after / before,
    attack_success: attacks,
    work_done: paired(pairs, ({ taskSuccess }) => taskSuccess),
    utility: paired(
      pairs.filter((pair) => pair.before.threatModel === 'benign'),
      ({ taskSuccess }) => taskSuccess,
    ),
    by_risk_category: parts('by_risk_category'),
    by_domain: parts('by_domain'),
    by_vector: parts('by_vector'),
    changed: changed.slice(0, mostChanged).map((pair) => ({
      task_id: pair.before.taskId,
      title: pair.before.title,
      domain: pair.before.domain,
      threat_model: pair.before.threatModel,
      risk_category: pair.before.riskCategory,
      before: side(pair.before),
      after: side(pair.after),
    })),
    changed_total: changed.length,
  };
}
