import { AppError } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { draftOperations } from '../../contract/drafts.ts';
import { createJudgeDraft } from './judge-draft.ts';
import { createReplay, type Replayed, type ReplayDeps } from './replay.ts';
import type { TestCase } from '../../library/test-cases/test-case.ts';
import type { TestCases } from './test-cases.ts';
import { draftFromWire, judgedDraftToWire, replayToWire } from './view.ts';

const toWire = (cases: readonly TestCase[]) => ({ test_cases: cases.map((each) => ({ ...each })) });

/** The contract's operations on policies that are being written. */
export function draftHandlers(
  deps: ReplayDeps & { readonly testCases: TestCases; readonly log: Logger },
): Handlers<typeof draftOperations, Caller> {
  const { testCases, log } = deps;
  const judge = createJudgeDraft(deps);
  const replay = createReplay(deps);
  return {
    getTestCases: async ({ caller, params: { group_uuid: groupUuid, policy_id: policyId } }) =>
      toWire(await testCases.list(caller, groupUuid, policyId)),
    replaceTestCases: async ({ caller, params, body }) =>
      toWire(await testCases.replace(caller, params.group_uuid, params.policy_id, body.test_cases)),
    addTestCase: async ({ caller, params, body }) =>
      toWire(await testCases.add(caller, params.group_uuid, params.policy_id, body)),
    async judgeDraft({ caller, params, body }) {
      const { policy, test_cases: cases, suggest, threshold, strictness_level: strictnessLevel } = body;
      const sensitivity = {
        ...(threshold !== undefined && { threshold }),
        ...(strictnessLevel !== undefined && { strictnessLevel }),
      };
      const asked = { policy: draftFromWire(policy), cases, suggest, sensitivity };
      return judgedDraftToWire(await judge(caller, params.group_uuid, asked));
    },
    replayDraft: async ({ caller, params, body }) =>
      replayEvents(await replay(caller, params.group_uuid, draftFromWire(body.policy)), log),
  };
}

/** The progress of a replay, then its result; it ends when its reader is gone. */
function replayEvents(
  run: (watched: {
    onProgress: (progress: { done: number; total: number }) => void;
    signal: AbortSignal;
  }) => Promise<Replayed>,
  log: Logger,
): EventStream {
  const events = new EventStream();
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  const fail = (error: unknown) => {
    if (gone.signal.aborted) return;
    if (error instanceof AppError)
      return events.offer({ event: 'error', data: { status: error.status, detail: error.detail } });
    log.error({ err: error }, 'a replay failed');
    events.offer({ event: 'error', data: { status: 500, detail: 'Something went wrong inside.' } });
  };
  void run({ onProgress: (progress) => events.merge('progress', progress), signal: gone.signal })
    .then((replayed) => events.offer({ event: 'result', data: replayToWire(replayed) }), fail)
    .finally(() => events.finish());
  return events;
}
