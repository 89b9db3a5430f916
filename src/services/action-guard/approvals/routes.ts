import type { Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { approvalOperations } from '../contract/approvals.ts';
import type { ActionGuardEvents } from '../events.ts';
import { type Approval, statusAt } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { viewApproval } from './view.ts';

export interface ApprovalRoutesDeps {
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly events: ActionGuardEvents;
  readonly userNames: UserNames;
  readonly setNames: (setIds: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
}

/** Approvals as they are answered to a caller. */
export const viewedFor = ({ approvals, clock, userNames, setNames }: Omit<ApprovalRoutesDeps, 'events'>) =>
  async function viewed(caller: Caller, found: readonly Approval[]) {
    const now = new Date(clock.now());
    const [nameOf, names] = await Promise.all([
      userNames(found.flatMap(({ userId, decidedBy }) => [userId, decidedBy])),
      setNames(found.map(({ policySetId }) => policySetId)),
    ]);
    return Promise.all(
      found.map(async (one) => {
        const mayDecide =
          statusAt(one, now) === 'pending' && (await approvals.refusal(caller, one)) === undefined;
        return viewApproval(one, { now, nameOf, setNames: names, mayDecide });
      }),
    );
  };

export function approvalHandlers(deps: ApprovalRoutesDeps): Handlers<typeof approvalOperations, Caller> {
  const { approvals, events } = deps;
  const viewed = viewedFor(deps);
  const viewedOne = async (caller: Caller, one: Approval) => {
    const [view] = await viewed(caller, [one]);
    return view!;
  };
  return {
    async listActionApprovals({ caller, query }) {
      const { approvals: found, total } = await approvals.list(caller, {
        ...query,
        status: query.status,
        sessionId: query.session_id,
      });
      return { approvals: await viewed(caller, found), total };
    },
    getActionApproval: async ({ caller, params }) =>
      viewedOne(caller, await approvals.get(caller, params.approval_id)),
    async decideActionApproval({ caller, params, body, request }) {
      const decided = await approvals.decide(caller, params.approval_id, {
        approve: body.decision === 'approve',
        note: body.note ?? null,
      });
      await events.changed(`action_${body.decision === 'approve' ? 'approved' : 'denied'}`, {
        caller,
        request,
        id: decided.approvalId,
      });
      return viewedOne(caller, decided);
    },
  };
}
