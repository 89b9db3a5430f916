import type { Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { approvalOperations } from '../contract/approvals.ts';
import { type Approval, statusAt } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { viewApproval } from './view.ts';

export interface ApprovalRoutesDeps {
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly userNames: UserNames;
  readonly setNames: (setIds: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
}

/** An approval as it is answered to a caller, given the names on its page. */
const viewedWith =
  ({ approvals, clock, userNames, setNames }: ApprovalRoutesDeps) =>
  async (found: readonly Approval[]) => {
    const now = new Date(clock.now());
    const [nameOf, names] = await Promise.all([
      userNames(found.flatMap(({ userId, decidedBy }) => [userId, decidedBy])),
      setNames(found.map(({ policySetId }) => policySetId)),
    ]);
    return async (caller: Caller, one: Approval) => {
      const waits = statusAt(one, now) === 'pending';
      const refusal = waits ? await approvals.refusal(caller, one) : undefined;
      return viewApproval(one, {
        now,
        nameOf,
        setNames: names,
        mayDecide: waits && refusal === undefined,
        refusal,
        rolesOfNobody: waits ? await approvals.rolesOfNobody(one) : [],
      });
    };
  };

/** One approval as it is answered to a caller. */
export const viewedOne =
  (deps: ApprovalRoutesDeps) =>
  async (caller: Caller, one: Approval): Promise<ReturnType<typeof viewApproval>> =>
    (await viewedWith(deps)([one]))(caller, one);

export function approvalHandlers(deps: ApprovalRoutesDeps): Handlers<typeof approvalOperations, Caller> {
  const { approvals } = deps;
  const viewOne = viewedOne(deps);
  return {
    async listActionApprovals({ caller, query }) {
      const { approvals: found, total } = await approvals.list(caller, {
        ...query,
        status: query.status,
        sessionId: query.session_id,
      });
      const view = await viewedWith(deps)(found);
      return { approvals: await Promise.all(found.map((one) => view(caller, one))), total };
    },
    getActionApproval: async ({ caller, params }) =>
      viewOne(caller, await approvals.get(caller, params.approval_id)),
    async decideActionApproval({ caller, params, body, request }) {
      const decided = await approvals.decide({ caller, request }, params.approval_id, {
        approve: body.decision === 'approve',
        note: body.note ?? null,
      });
      return viewOne(caller, decided);
    },
  };
}
