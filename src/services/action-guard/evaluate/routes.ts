import { forbidden } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import type { Evaluate } from './evaluate.ts';
import { readQuestion, viewEvaluation } from './view.ts';

export const evaluateHandlers = (
  evaluate: Evaluate,
  engineVersion: string,
): Handlers<typeof evaluateOperations, Caller> => ({
  guardActions: async ({ caller, body }) => {
    // An application that sent trials would have its actions judged unseen.
    if (body.trial === true && (caller.via === 'api_key' || caller.via === 'oauth'))
      throw forbidden(
        "'trial' is for people who try a policy set out: send an access token, or leave it out.",
      );
    return viewEvaluation(await evaluate.evaluate(caller, readQuestion(body)), engineVersion);
  },
});
