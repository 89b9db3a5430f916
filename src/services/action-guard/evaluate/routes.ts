import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import type { Evaluate } from './evaluate.ts';
import { readQuestion, viewEvaluation } from './view.ts';

export const evaluateHandlers = (
  evaluate: Evaluate,
  engineVersion: string,
): Handlers<typeof evaluateOperations, Caller> => ({
  guardActions: async ({ caller, body }) =>
    viewEvaluation(await evaluate.evaluate(caller, readQuestion(body)), engineVersion),
});
