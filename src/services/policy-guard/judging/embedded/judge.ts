import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { shiftForStrictness, type Analysis, type TextEngine } from '#engine/text/engine.ts';
import type {
  CompiledPolicy,
  ContextMessage,
  PolicyScore,
  PolicySource,
  TextKind,
} from '#engine/text/types.ts';
import type { Sensitivity, Finding } from '../verdicts/verdict.ts';

/** Policies that share a sensitivity: those of one group. */
export interface PolicySet {
  readonly policies: readonly {
    readonly name: string;
    readonly source: PolicySource;
    readonly compiled: CompiledPolicy;
  }[];
  readonly sensitivity: Sensitivity;
}

export interface JudgedInput {
  readonly text: string;
  readonly messages: readonly ContextMessage[];
  /** What the caller says the text is. */
  readonly kind?: TextKind | undefined;
  /** Stops between two slices of a long text. */
  readonly signal?: AbortSignal | undefined;
}

/** A policy's strongest slice of the text. */
export interface Best {
  score: PolicyScore;
  analysis: Analysis;
  /** Where the slice begins in the text, in UTF-16 code units. */
  offset: number;
}

const decimals = 1e6;

/** Rounded before it is compared, so that the response and the decision cannot differ. */
export const rounded = (probability: number): number => Math.round(probability * decimals) / decimals;

export const atStrictness = (probability: number, { strictnessLevel }: Sensitivity): number =>
  rounded(shiftForStrictness(probability, strictnessLevel));

function finding(engine: TextEngine, { policies, sensitivity }: PolicySet, best: readonly Best[]): Finding {
  const probabilities = best.map(({ score }) => atStrictness(score.probability, sensitivity));
  const flagged = policies.flatMap(({ name }, i) => {
    const found = best[i];
    return found !== undefined && (probabilities[i] ?? 0) >= sensitivity.threshold
      ? [{ name, ...found }]
      : [];
  });
  const [first] = flagged;
  return {
    probabilities,
    engines: policies.map(() => 'embedded' as const),
    isDegraded: false,
    reasoning: first === undefined ? null : engine.explain(first.analysis, flagged),
  };
}

const scored = (
  engine: TextEngine,
  { analysis, offset }: Omit<Best, 'score'>,
  { policies }: PolicySet,
  kind: TextKind | undefined,
): Best[] =>
  policies.map(({ compiled }) => ({ score: engine.score(analysis, compiled, kind), analysis, offset }));

const stronger = (a: Best, b: Best | undefined): Best =>
  b !== undefined && b.score.probability > a.score.probability ? b : a;

/**
 * The strongest slice of a text for each policy of each set; the sets share its analysis. Between two slices of a
 * long text other requests have their turn.
 */
export async function strongestSlices(
  engine: TextEngine,
  { text, messages, kind, signal }: JudgedInput,
  sets: readonly PolicySet[],
): Promise<Best[][]> {
  let best: Best[][] | undefined;
  for (const piece of engine.analysePieces(text, messages)) {
    if (best !== undefined) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
    const here = sets.map((set) => scored(engine, piece, set, kind));
    best = best?.map((set, i) => set.map((each, j) => stronger(each, here[i]?.[j]))) ?? here;
  }
  return best ?? [];
}

/** Judges a text by sets of policies; a finding for each set. A policy's probability is that of its strongest slice. */
export async function judge(
  engine: TextEngine,
  input: JudgedInput,
  sets: readonly PolicySet[],
): Promise<Finding[]> {
  const best = await strongestSlices(engine, input, sets);
  return sets.map((set, i) => finding(engine, set, best[i] ?? []));
}
