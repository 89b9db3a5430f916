import type { Head } from '#engine/text/adapted-head.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { CompiledPolicy } from '#engine/text/types.ts';
import { learn } from '../heads/learn.ts';
import { everydayTexts } from '../heads/everyday.ts';
import type { Exemplars } from './exemplar.ts';

export type Learner = Pick<TextEngine, 'analyseInTurns' | 'compile' | 'score' | 'version'>;

/** Without the block exemplars that the policy's own safe phrases veto: the model took what is allowed for a violation. */
export async function withoutVetoed(
  engine: Learner,
  compiled: CompiledPolicy,
  { block, safe }: Exemplars,
): Promise<Exemplars> {
  if (compiled.safe.length === 0) return { block, safe };
  const plain = { ...compiled, head: undefined };
  const kept: string[] = [];
  for (const text of block) {
    const analysis = await engine.analyseInTurns(text);
    if (!engine.score(analysis, plain).vetoed) kept.push(text);
  }
  return { block: kept, safe };
}

/** The exemplars count in full, as with `TextEngine.adapt`. */
const scale = 1;

/**
 * Taken off every logit: among exemplars every third text violates the policy, among the texts of a day very few do.
 * Why it is so much: `docs/decisions/009-exemplars-with-everyday-texts.md`.
 */
const rarity = 2;

/**
 * What the policy learns from exemplars; it takes some tenths of a second, in a thread of its own. Everyday texts
 * stand beside those that come close, which alone would say nothing of all that is far away.
 */
export async function learnExemplars(
  engine: Learner,
  compiled: CompiledPolicy,
  { block, safe }: Exemplars,
): Promise<Head> {
  const examples = [
    ...block.map((text) => ({ text, violates: true })),
    ...[...safe, ...everydayTexts()].map((text) => ({ text, violates: false })),
  ];
  const [learned] = await learn(engine, [{ compiled, examples, scale }]);
  if (learned === undefined) throw new Error('Nothing was learned from the exemplars.');
  return { ...learned.head, bias: learned.head.bias - rarity };
}
