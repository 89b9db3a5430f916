import type { Observation } from '#findings/finding.ts';

const placeOf = ({ rule, location }: Observation): string =>
  JSON.stringify([rule, location?.path, location?.startLine]);

/** Observations of two looks at the same files, each rule and place once; those of the first look know more. */
export function eachOnce(first: readonly Observation[], second: readonly Observation[]): Observation[] {
  const known = new Set(first.map(placeOf));
  return [...first, ...second.filter((each) => each.location === undefined || !known.has(placeOf(each)))];
}
