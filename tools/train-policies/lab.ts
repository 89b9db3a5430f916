/** The optimisation lab on policies with few examples, against texts of theirs that it never saw. */
import { Random } from '../../src/base/random.ts';
import { atCut } from '../../src/engine/evaluation/confusion.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import type { TextEngine } from '../../src/engine/text/engine.ts';
import { stacked } from '../../src/services/policy-guard/library/heads/layers.ts';
import { isProposed } from '../../src/services/policy-guard/learning/optimization/is-proposed.ts';
import { cutOf, logitOf } from '../../src/services/policy-guard/learning/optimization/operating-point.ts';
import { optimise, type Tier } from '../../src/services/policy-guard/learning/optimization/optimise.ts';
import { type Kind, kinds, type PolicyCase } from './cases.ts';

const sensitivity = { threshold: 0.5, strictnessLevel: 'medium' } as const;
const cut = cutOf(sensitivity);
const objective = { kind: 'f1' } as const;

interface Labelled {
  text: string;
  violates: boolean;
}

const isViolation = (kind: Kind) => kind === 'violating' || kind === 'plain';

/** Of each label the same number of examples; the rest is the truth. */
function split({ texts }: PolicyCase, examples: number, seed: number): [Labelled[], Labelled[]] {
  const random = new Random(seed);
  const of = (violates: boolean) => {
    const all = kinds.filter((kind) => isViolation(kind) === violates).flatMap((kind) => texts[kind]);
    return random.sample(all, all.length).map((text) => ({ text, violates }));
  };
  const [yes, no] = [of(true), of(false)];
  const half = examples / 2;
  return [
    [...yes.slice(0, half), ...no.slice(0, half)],
    [...yes.slice(half), ...no.slice(half)],
  ];
}

const figuresOf = (logits: readonly number[], rows: readonly Labelled[]) => {
  const labels = rows.map(({ violates }) => (violates ? 1 : 0));
  const { recall, falsePositiveRate, f1 } = atCut(logits, labels, cut);
  return { auroc: areaUnderRoc(logits, labels), recall, falsePositiveRate, f1 };
};

/** Figures of a policy's other texts at probability .5. */
export type LabFigures = ReturnType<typeof figuresOf>;

/** What the lab did for one policy: its own estimate, the truth before and after, and ordinary messages flagged. */
export interface LabCase {
  isProposed: boolean;
  estimate: LabFigures | undefined;
  before: LabFigures;
  after: LabFigures;
  everyday: { before: number; after: number };
}

/** Optimises a policy by `examples` of its texts, half of each label. */
export async function measureLab(
  engine: TextEngine,
  each: PolicyCase,
  { examples, seed, tier }: { examples: number; seed: number; tier: Tier },
): Promise<LabCase> {
  const [shown, hidden] = split(each, examples, seed);
  const compiled = engine.compile(each.source);
  const lesson = {
    source: each.source,
    current: compiled,
    untuned: compiled,
    tuning: undefined,
    sensitivity,
    examples: shown,
  };
  const made = await optimise(engine, lesson, { tier, objective, ordinary: true });
  const then = { ...compiled, head: stacked(undefined, made.head) };
  const judged = (policy: typeof compiled) =>
    hidden.map(({ text }) => logitOf(engine.score(engine.analyse(text), policy).probability));
  return {
    isProposed: isProposed(made, shown, sensitivity, objective),
    estimate:
      made.after === null
        ? undefined
        : { ...figuresOf(made.after, shown), auroc: made.afterOrder ?? Number.NaN },
    before: figuresOf(judged(compiled), hidden),
    after: figuresOf(judged(then), hidden),
    everyday: made.ordinary,
  };
}
