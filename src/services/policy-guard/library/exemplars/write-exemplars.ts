import type { Database } from '#base/db/database.ts';
import type { Clock } from '#base/clock.ts';
import { LanguageModelError } from '#llm/failures.ts';
import { createFence } from '#llm/fence.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { ExemplarEvents } from './events.ts';
import { announceChange } from '../policies/changes.ts';
import { type Exemplars, type WrittenBy, withWritten } from './exemplar.ts';
import { type Learner, learnExemplars, withoutVetoed } from './learn-exemplars.ts';
import { exemplarQuestion, promptVersion, type Step, steps } from './prompt.ts';
import * as store from './store.ts';

/** Enough examples of one side. */
const enough = 64;
/** With fewer of one side nothing is learned: the policy is judged by its text alone. */
const fewest = 16;
/** For one question, with waiting for the budget and with retries. */
const questionTimeoutMs = 180_000;
/** Timeout of one request: a reply of many sentences takes longer than a verdict. */
const attemptTimeoutMs = 90_000;

export interface WriterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Learner;
  readonly model: Pick<LanguageModel, 'model' | 'structured'>;
  readonly events: ExemplarEvents;
}

/**
 * Writes the exemplars of a policy that are pending, and has the policy learn from them. What each question gave is
 * kept, so that a run that is interrupted goes on where it ended.
 */
export function createWriter({ db, clock, engine, model, events }: WriterDeps) {
  const fence = createFence();
  const by: WrittenBy = { model: model.model, promptVersion };
  const now = () => new Date(clock.now());

  /** Empty if the model refuses or does not follow the format: other prompts may succeed. */
  const ask = async (draft: store.Draft, step: Step, signal: AbortSignal): Promise<readonly string[]> => {
    const question = exemplarQuestion(draft.policy, step, fence);
    try {
      const options = { timeoutMs: questionTimeoutMs, attemptTimeoutMs, signal };
      return (await model.structured(question, options)).messages;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LanguageModelError)) throw error;
      const isAnswer = error.code === 'llm_refused' || error.code === 'llm_malformed';
      events.exemplarsNotAnswered(draft, { side: step.side, code: error.code, again: !isAnswer });
      if (isAnswer) return [];
      throw error;
    }
  };

  const finish = async (draft: store.Draft): Promise<void> => {
    const compiled = engine.compile(draft.policy);
    const exemplars = await withoutVetoed(engine, compiled, draft.exemplars);
    if (exemplars.block.length < fewest || exemplars.safe.length < fewest) {
      if (await store.saveFailed(db, draft, now())) events.exemplarsDone(draft, 'failed', exemplars);
      return;
    }
    const head = await learnExemplars(engine, compiled, exemplars);
    const isKept = await db.transaction(async (tx) => {
      const made = { exemplars, head, engineVersion: engine.version, now: now() };
      const kept = await store.saveReady(tx, draft, made);
      if (kept) await announceChange(tx, draft.groupUuid);
      return kept;
    });
    if (isKept) events.exemplarsDone(draft, 'ready', exemplars);
  };

  return {
    by,
    /** @throws LanguageModelError where the model is not there or too slow, and the reason of the signal. */
    async write(policyId: string, signal: AbortSignal): Promise<void> {
      for (;;) {
        signal.throwIfAborted();
        const draft = await store.findDraft(db, policyId);
        if (draft === undefined) return;
        if (draft.model !== by.model || draft.promptVersion !== by.promptVersion) {
          await store.restartDraft(db, draft, by);
          continue;
        }
        const at = nextStep(draft);
        const step = steps[at];
        if (step === undefined) return finish(draft);
        const written = await ask(draft, step, signal);
        const exemplars = withWritten(draft.exemplars, step.side, written);
        await store.saveStep(db, draft, { stepsDone: at + 1, exemplars, now: now() });
      }
    },
  };
}

/** Index of the next question of a side that needs more examples; past the end if there is none. */
function nextStep({ stepsDone, exemplars }: { stepsDone: number; exemplars: Exemplars }): number {
  const at = steps.findIndex(({ side }, i) => i >= stepsDone && exemplars[side].length < enough);
  return at < 0 ? steps.length : at;
}
