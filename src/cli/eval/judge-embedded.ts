import { invalid } from '#base/errors.ts';
import { loadTextEngine, shiftForStrictness } from '#engine/text/engine.ts';
import { labelId } from '#engine/text/label-ids.ts';
import type { PolicySource, Strictness, TextKind } from '#engine/text/types.ts';
import { builtInPolicies } from '../judge-here.ts';
import type { RowJudge } from './row-judge.ts';

/** @throws AppError 422 */
export function refuseSameLabels(sources: readonly PolicySource[]): void {
  const names = new Map<string, string>();
  for (const { name } of sources) {
    const other = names.get(labelId(name));
    if (other !== undefined)
      throw invalid(`The policies '${other}' and '${name}' answer to the same label, ${labelId(name)}.`);
    names.set(labelId(name), name);
  }
}

/**
 * Judges rows by the engine in this process: the nine built-in detectors, or the policies given.
 * @throws AppError 422 when labels cannot distinguish two policies
 */
export async function embeddedJudge(options: {
  policies: PolicySource[] | undefined;
  threshold: number;
  strictness: Strictness;
  context?: TextKind | undefined;
}): Promise<RowJudge> {
  const { threshold, strictness, context } = options;
  const engine = await loadTextEngine();
  const sources = options.policies ?? builtInPolicies();
  refuseSameLabels(sources);
  const compiled = sources.map((source) => engine.compile(source));
  return {
    columns: sources.map(({ name }) => ({ id: labelId(name), name, threshold })),
    about: { kind: 'embedded', version: engine.version },
    concurrency: 1,
    async judge({ text, messages }) {
      const analysis = await engine.analyseInTurns(text, messages);
      const scores = Float64Array.from(compiled, (policy) =>
        shiftForStrictness(engine.score(analysis, policy, context).probability, strictness),
      );
      return { scores, flags: Uint8Array.from(scores, (score) => (score >= threshold ? 1 : 0)) };
    },
  };
}
