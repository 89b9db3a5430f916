import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { testerOperations } from '../../contract/tester.ts';
import type { TestGroup } from './tester.ts';
import { testedTextToWire } from './view.ts';

export const testerHandlers = (testGroup: TestGroup): Handlers<typeof testerOperations, Caller> => ({
  testPolicyGroup: async ({ caller, params, body: { text, messages, context: kind, ...tried } }) => {
    const sensitivity = {
      ...(tried.threshold !== undefined && { threshold: tried.threshold }),
      ...(tried.strictness_level !== undefined && { strictnessLevel: tried.strictness_level }),
    };
    return testedTextToWire(
      await testGroup(caller, params.group_uuid, { text, messages, kind, sensitivity }),
    );
  },
});
