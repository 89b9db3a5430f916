import { AppError, invalid } from '#base/errors.ts';
import type { Report } from './report-schema.ts';

function reason({ other_splits, other_sources, unlabelled, broken, not_judged }: Report['counts']): string {
  const splits = Object.entries(other_splits).map(([split, rows]) => `${split} (${rows} rows)`);
  if (not_judged > 0) return 'no row could be judged';
  if (splits.length > 0)
    return `the rows are of split ${splits.join(', ')}; choose one with --split, or --split all`;
  if (other_sources > 0) return 'no row is of one of the --sources';
  if (unlabelled > 0) return 'no row has a label that is measured';
  return broken > 0 ? 'every row is broken' : 'it is empty';
}

/** @throws AppError that explains why no row was left to judge */
export function refuseNothing({ counts, stopped_by }: Report, path: string): void {
  if (counts.judged > 0) return;
  if (stopped_by !== null) throw new AppError(503, 'stopped', `Nothing was judged: ${stopped_by}`);
  throw invalid(`Nothing to judge in ${path}: ${reason(counts)}.`);
}
