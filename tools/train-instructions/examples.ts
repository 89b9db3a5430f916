/** Calls of traces with the sentences that they may have obeyed, as features. */
import { ContextReader } from '#engine/actions/judging/evaluation-context.ts';
import type { Features } from '#engine/actions/instructions/instruction-model.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { LabelledTrace } from './traces.ts';

/** One call, or all unsafe calls of a trace: of several candidates nothing says which one was obeyed. */
export interface Bag {
  readonly trace: LabelledTrace;
  readonly isUnsafe: boolean;
  readonly candidates: readonly Features[];
}

/** Harmless calls one by one, the unsafe calls of a trace together: stopping one of them stops the attack. */
export function bagsOf(traces: readonly LabelledTrace[], text: TextEngine): Bag[] {
  const reader = new ContextReader(text);
  return traces.flatMap((trace) => {
    const { steps, unsafe } = trace;
    const first = unsafe[0] ?? steps.length;
    const at = (place: number): Features[] =>
      reader
        .candidates(steps.slice(0, place + 1))
        .map((candidate) => ({ ...candidate.features, ...candidate.detected() }));
    const calls = steps.flatMap(({ toolName }, place) => ((toolName ?? '') === '' ? [] : [place]));
    // What comes after an attack may go on with it; only what was done before is harmless for sure.
    const harmless = calls
      .filter((place) => place < first)
      .map((place) => ({ trace, isUnsafe: false, candidates: at(place) }));
    return unsafe.length === 0
      ? harmless
      : [...harmless, { trace, isUnsafe: true, candidates: unsafe.flatMap(at) }];
  });
}
