import { conflict } from '#base/errors.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { evaluateOperations } from '../../contract/evaluate.ts';
import type { Verdict } from '../../judging/verdicts/verdict.ts';
import { newModerationId, reasonsOf } from '../verdicts/view.ts';
import { categoriesOf } from './categories.ts';

type Moderation = Answer<(typeof evaluateOperations)['createOpenAiModeration']>;

function result(verdict: Verdict): Moderation['results'][number] {
  const categories = categoriesOf(verdict);
  // Clients that read the categories alone would take every text for a safe one.
  if (categories.every(({ isCovered }) => !isCovered))
    throw conflict(
      `The guard ${verdict.guard.guardUuid} judges by none of the built-in detectors, so OpenAI's categories would say nothing. ` +
        'Attach the policy group Default Policies to it, or name the guard that is meant as the model.',
    );
  return {
    flagged: verdict.flagged,
    categories: Object.fromEntries(categories.map(({ name, flagged }) => [name, flagged])),
    category_scores: Object.fromEntries(categories.map(({ name, score }) => [name, score])),
    category_applied_input_types: Object.fromEntries(
      categories.map(({ name, isCovered }) => [name, isCovered ? ['text' as const] : []]),
    ),
    reasoning: reasonsOf(verdict.groups),
    degraded: verdict.groups.some(({ isDegraded }) => isDegraded),
  };
}

/** As OpenAI responds: with the name of the model as requested. */
export const openAiModerationToWire = (model: string, verdicts: readonly Verdict[]): Moderation => ({
  id: newModerationId(),
  model,
  results: verdicts.map(result),
});
