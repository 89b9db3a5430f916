import type { TextEngine } from '#engine/text/engine.ts';
import { rounded, type Best, type PolicySet } from '../embedded/judge.ts';
import type { Finding } from '../verdicts/verdict.ts';
import type { Material } from './backend.ts';
import type { Engine } from '../../guards/engines.ts';
import type { Probabilities } from './probabilities.ts';
import type { Reasons } from './language-model/reasons.ts';

/** A policy with its probability and who gave it. */
export interface Decided {
  readonly policy: PolicySet['policies'][number];
  /** What the embedded engine found. */
  readonly best: Best;
  readonly engine: Engine;
  readonly probabilities: Probabilities;
  /** Why the judge that should have decided did not. */
  readonly failure: string | undefined;
}

interface ReasonSettings {
  readonly material: Material;
  readonly reason: { readonly backend: Reasons | undefined; readonly when: 'on_flag' | 'always' } | undefined;
}

/** What a set of decided policies comes to, with a reason. */
export async function findingOf(
  engine: TextEngine,
  { sensitivity }: PolicySet,
  decided: readonly Decided[],
  settings: ReasonSettings,
): Promise<Finding> {
  const probabilities = decided.map((each) => rounded(each.probabilities[sensitivity.strictnessLevel]));
  const flagged = decided.filter((_, i) => (probabilities[i] ?? 0) >= sensitivity.threshold);
  return {
    probabilities,
    engines: decided.map((each) => each.engine),
    isDegraded: decided.some(({ failure }) => failure !== undefined),
    reasoning: (await asked(decided, flagged, settings)) ?? plainReason(engine, flagged),
  };
}

/** The language model's reason, where it has judged and one is wanted. */
async function asked(
  decided: readonly Decided[],
  flagged: readonly Decided[],
  { material, reason }: ReasonSettings,
): Promise<string | undefined> {
  if (reason?.backend === undefined) return undefined;
  const isFlagged = flagged.length > 0;
  if (!isFlagged && reason.when === 'on_flag') return undefined;
  const ofModel = (isFlagged ? flagged : decided).filter((each) => each.engine === 'llm');
  if (ofModel.length === 0) return undefined;
  const policies = ofModel.map(({ policy }) => policy.source);
  return reason.backend.reason(material, { policies, isFlagged });
}

const names = (decided: readonly Decided[]): string =>
  decided.map(({ policy }) => JSON.stringify(policy.name)).join(', ');

/** Without a model: the strongest evidence in a sentence, or who decided. */
function plainReason(engine: TextEngine, flagged: readonly Decided[]): string | null {
  const [first] = flagged;
  if (first === undefined) return null;
  const unjudged = flagged.filter((each) => each.engine === 'none');
  if (unjudged.length > 0)
    return `The judge did not answer (${unjudged[0]?.failure}), and this guard fails closed: ${names(unjudged)}.`;
  // What the embedded engine did not find itself it cannot explain.
  const own = flagged.filter((each) => each.engine === 'embedded' || each.best.score.probability >= 0.5);
  const evidence = own.map(({ policy, best }) => ({ name: policy.name, score: best.score }));
  const explained = own[0] === undefined ? null : engine.explain(own[0].best.analysis, evidence);
  return explained ?? `The text was judged to violate ${names(flagged)}.`;
}
