import type { Finding } from './finding.ts';

/** A finding of both runs. */
export interface Unchanged {
  before: Finding;
  after: Finding;
}

export interface Comparison {
  new: Finding[];
  fixed: Finding[];
  /** In the order of the later run. Their places and severities may differ. */
  unchanged: Unchanged[];
}

/** Compares a later run's findings with an earlier run's, by fingerprint. */
export function compareFindings(before: readonly Finding[], after: readonly Finding[]): Comparison {
  const earlier = new Map(before.map((finding) => [finding.fingerprint, finding]));
  const later = new Set(after.map(({ fingerprint }) => fingerprint));
  const comparison: Comparison = {
    new: [],
    fixed: before.filter(({ fingerprint }) => !later.has(fingerprint)),
    unchanged: [],
  };
  for (const finding of after) {
    const known = earlier.get(finding.fingerprint);
    if (known === undefined) comparison.new.push(finding);
    else comparison.unchanged.push({ before: known, after: finding });
  }
  return comparison;
}
