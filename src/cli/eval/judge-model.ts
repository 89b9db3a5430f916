import { loadConfig } from '#base/config/load.ts';
import { readEnv } from '#base/config/read-env.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { labelId } from '#engine/text/label-ids.ts';
import type { PolicySource, Strictness } from '#engine/text/types.ts';
import { openOfflineJudging } from '#services/policy-guard/judging/offline-judging.ts';
import { sections } from '../../settings.ts';
import { builtInPolicies } from '../judge-here.ts';
import { refuseSameLabels } from './judge-embedded.ts';
import type { RowJudge } from './row-judge.ts';

/**
 * Judges rows in this process as guards with the engine `llm` or `cascade` do, by the model that is configured.
 * @throws AppError 409 where none is configured; 422 when labels cannot distinguish two policies
 */
export async function modelJudge(options: {
  engine: 'llm' | 'cascade';
  policies: PolicySource[] | undefined;
  threshold: number;
  strictness: Strictness;
  concurrency: number;
}): Promise<RowJudge> {
  const { threshold, strictness } = options;
  const sources = options.policies ?? builtInPolicies();
  refuseSameLabels(sources);
  const engine = await loadTextEngine();
  const judging = await openOfflineJudging({ config: loadConfig(sections, readEnv()), engine });
  const policies = sources.map((source) => ({ source, compiled: engine.compile(source) }));
  const sensitivity = { threshold, strictnessLevel: strictness };
  let rowsAsked = 0;
  return {
    columns: sources.map(({ name }) => ({ id: labelId(name), name, threshold })),
    about: { kind: options.engine, version: await judging.version(options.engine) },
    concurrency: options.concurrency,
    async judge({ text, messages }) {
      const { probabilities, askedModel } = await judging.judge({
        text,
        messages,
        engine: options.engine,
        policies,
        sensitivity,
      });
      if (askedModel) rowsAsked++;
      const scores = Float64Array.from(probabilities);
      return { scores, flags: Uint8Array.from(scores, (score) => (score >= threshold ? 1 : 0)) };
    },
    cost() {
      const { requests, promptTokens, completionTokens } = judging.usage();
      return { calls: requests, promptTokens, completionTokens, rowsAsked };
    },
    close: async () => judging[Symbol.asyncDispose](),
  };
}
