import { detectorSlugs, loadTextEngine, shiftForStrictness } from '#engine/text/engine.ts';
import type { PolicySource, Strictness, TextKind } from '#engine/text/types.ts';

export interface LocalVerdict {
  flag: boolean;
  policies: { name: string; probability: number; flagged: boolean }[];
  reasoning: string | null;
  latency_ms: number;
}

/** The nine built-in detectors as policies, named by their slugs. */
export const builtInPolicies = (): PolicySource[] =>
  detectorSlugs.map((detector) => ({
    name: detector,
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector,
  }));

/** Judges a text in this process by the embedded engine; the nine built-in detectors unless policies are given. */
export async function judgeHere(
  text: string,
  options: {
    policies: PolicySource[] | undefined;
    threshold: number;
    strictness: Strictness;
    context: TextKind | undefined;
  },
): Promise<LocalVerdict> {
  const engine = await loadTextEngine();
  const compiled = (options.policies ?? builtInPolicies()).map((source) => engine.compile(source));
  const startedAt = performance.now();
  const analysis = engine.analyse(text);
  const scores = compiled.map((policy) => {
    const score = engine.score(analysis, policy, options.context);
    const probability = shiftForStrictness(score.probability, options.strictness);
    return { name: policy.name, score, probability, flagged: probability >= options.threshold };
  });
  const flagged = scores.filter((each) => each.flagged);
  return {
    flag: flagged.length > 0,
    policies: scores.map(({ name, probability, flagged: over }) => ({ name, probability, flagged: over })),
    reasoning: flagged.length > 0 ? engine.explain(analysis, flagged) : null,
    latency_ms: performance.now() - startedAt,
  };
}
