import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { testerOperations } from '../contract/tester.ts';
import type { TestGroup } from './tester.ts';
import { testedTextToWire } from './view.ts';

export const testerHandlers = (testGroup: TestGroup): Handlers<typeof testerOperations, Caller> => ({
  testPolicyGroup: async ({ caller, params, body }) =>
    testedTextToWire(await testGroup(caller, params.group_uuid, body)),
});
