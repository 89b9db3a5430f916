/** Which of the models that were tried is to judge, if any is better than what judges now. */
import type { McNemar } from '#engine/evaluation/comparison.ts';
import { compared, figuresOf, type Config, type Judged, type ModelJudged } from './measure.ts';
import type { ProbeRow } from './probe.ts';
import type { Candidate, Tried } from './candidate.ts';
import type { Settings } from './write-config.ts';

/** A difference that chance makes more often than this is none. */
const mostChance = 0.05;

export interface Choice {
  /** The best of all that were measured; undefined where none was. */
  readonly best: { readonly candidate: Candidate; readonly judged: ModelJudged } | undefined;
  /** What judges without a change, and what would with the best. */
  readonly before: Judged;
  readonly difference: McNemar | undefined;
  readonly isBetter: boolean;
  /** What to write; undefined where nothing is to change. */
  readonly settings: Settings | undefined;
}

/** The value below which so large a share of sorted ones is. */
export const quantileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const upToHalfSeconds = (ms: number) => Math.min(600_000, Math.ceil(ms / 500) * 500);

/** Time limits that a slow model would reach are raised; none is lowered. */
function limitsFor({ ms }: ModelJudged, { llm, policyGuardJudge }: Config) {
  const slow = quantileOf(ms, 0.95);
  const request = upToHalfSeconds(2 * slow);
  const call = upToHalfSeconds(4 * slow);
  return {
    llm: {
      ...(request > llm.attemptTimeoutMs && { attempt_timeout_ms: request }),
      ...(call > llm.timeoutMs && { timeout_ms: call }),
    },
    judge: call > policyGuardJudge.timeoutMs ? { timeout_ms: call } : {},
  };
}

function settingsFor({ baseUrl, model }: Candidate, judged: ModelJudged, config: Config): Settings {
  const { llm, judge } = limitsFor(judged, config);
  return {
    llm: { base_url: baseUrl, model, ...llm },
    ...(Object.keys(judge).length > 0 && { policy_guard_judge: judge }),
  };
}

/** The most right answers with the embedded engine before it, then the better order, then the faster. */
export function choose(
  rows: readonly ProbeRow[],
  embedded: Judged,
  tried: readonly Tried[],
  config: Config,
): Choice {
  const measured = tried.flatMap(({ candidate, judged }) =>
    judged === undefined ? [] : [{ candidate, judged }],
  );
  const figures = new Map(measured.map((each) => [each, figuresOf(rows, each.judged.cascade)]));
  const [best] = measured.toSorted((a, b) => {
    const [first, second] = [figures.get(a), figures.get(b)];
    return (
      (second?.right ?? 0) - (first?.right ?? 0) ||
      (second?.auroc ?? 0) - (first?.auroc ?? 0) ||
      quantileOf(a.judged.ms, 0.5) - quantileOf(b.judged.ms, 0.5)
    );
  });
  const configured = measured.find(({ candidate }) => candidate.isConfigured);
  const before = configured?.judged.cascade ?? embedded;
  if (best === undefined)
    return { best, before, difference: undefined, isBetter: false, settings: undefined };
  const difference = compared(rows, before, best.judged.cascade);
  const isBetter = difference.onlySecond > difference.onlyFirst && difference.pValue <= mostChance;
  const settings = isBetter ? settingsFor(best.candidate, best.judged, config) : undefined;
  return { best, before, difference, isBetter, settings };
}
