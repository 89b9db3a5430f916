import { TargetError } from '#llm/target/failures.ts';
import type { ScannedModel } from '../records/scan.ts';
import { type ModelDeps, type ModelSecrets, openModel, probeTurns, withoutSecrets } from './open-model.ts';
import { failureSentence } from './target-failure.ts';

const shownCharacters = 500;

/** Asks a model one harmless question, and says what is wrong where it gives no reply. */
export async function probe(deps: ModelDeps, model: ScannedModel, secrets: ModelSecrets, timeoutMs: number) {
  const clean = withoutSecrets(secrets);
  try {
    const { text, latencyMs } = await openModel(deps, model, secrets, {
      concurrency: 1,
      timeoutMs,
      attempts: 1,
    }).reply(probeTurns);
    const reply = clean(text).slice(0, shownCharacters);
    return { ok: true, detail: 'The model answers.', reply, latency_ms: Math.round(latencyMs) };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return { ok: false, detail: clean(failureSentence(error)), reply: null, latency_ms: null };
  }
}
