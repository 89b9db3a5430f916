/** Outcomes of repeated tries at one case. */
export interface Tries {
  tries: number;
  successes: number;
}

/**
 * The chance that at least one of `k` tries succeeds, estimated without bias from more tries than k:
 * 1 - C(n - c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374, "pass@k"). For attacks it is the success rate at k.
 * NaN where fewer than k tries were made.
 */
export function successAtK({ tries, successes }: Tries, k: number): number {
  if (tries < k) return Number.NaN;
  if (tries - successes < k) return 1;
  let noneSucceeds = 1;
  for (let i = tries - successes + 1; i <= tries; i++) noneSucceeds *= 1 - k / i;
  return 1 - noneSucceeds;
}

/** The mean over cases that have k tries or more; NaN where none has. */
export function meanSuccessAtK(cases: readonly Tries[], k: number): number {
  const known = cases.map((each) => successAtK(each, k)).filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
