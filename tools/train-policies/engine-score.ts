import type { Analysis, TextEngine } from '../../src/engine/text/engine.ts';
import type { CompiledPolicy } from '../../src/engine/text/types.ts';
import type { Bank, Score } from './protocol.ts';

/** The engine's logit of each pair, computed when it is first asked for. */
export function engineScore(engine: TextEngine, bank: Bank): Score {
  const analyses = new Map<number, Analysis>();
  const policies = new Map<number, CompiledPolicy>();
  const known = new Map<number, number>();
  return (policy, text) => {
    const key = policy * bank.texts.length + text;
    const before = known.get(key);
    if (before !== undefined) return before;
    let compiled = policies.get(policy);
    const source = bank.cases[policy]?.source;
    if (compiled === undefined) {
      if (source === undefined) throw new RangeError(`no policy number ${policy}`);
      compiled = engine.compile(source);
      policies.set(policy, compiled);
    }
    const analysis = analyses.get(text) ?? engine.analyse(bank.texts[text]?.text ?? '');
    analyses.set(text, analysis);
    const { probability } = engine.score(analysis, compiled);
    const logit = Math.log(Math.max(1e-9, probability) / Math.max(1e-9, 1 - probability));
    known.set(key, logit);
    return logit;
  };
}
