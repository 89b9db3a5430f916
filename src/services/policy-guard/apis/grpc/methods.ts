import { join } from 'node:path';
import { grpcMethod } from '#base/grpc/server.ts';
import type { Caller } from '#identity/caller.ts';
import { evaluateOperations } from '../../contract/evaluate.ts';
import type { Evaluate } from '../../judging/evaluate/evaluate.ts';
import { textInContext, verdictToWire } from '../verdicts/view.ts';

export const topicGuardProto = join(import.meta.dirname, 'topic-guard.proto');
export const topicGuardService = 'bulwark.topicguard.v1.TopicGuardService';

/** The methods of the service, by their names in the proto file. */
export const topicGuardMethods = (evaluate: Evaluate) => ({
  CheckTopicSafety: grpcMethod<typeof evaluateOperations.topicGuard, Caller>({
    operation: evaluateOperations.topicGuard,
    async handle({ caller, body, signal, requestId }) {
      const guard = await evaluate.guardFor(caller, body.guard_uuid);
      const asked = { door: 'grpc', userId: caller.userId, apiKeyId: caller.apiKeyId, requestId, signal };
      return verdictToWire(await evaluate.judgeText(guard, textInContext(body), asked));
    },
  }),
});
