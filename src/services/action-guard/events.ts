import type { Queries } from '#base/db/database.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Asking } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';

type Change =
  | `action_policy_${'created' | 'updated' | 'deleted'}`
  | `policy_set_${'created' | 'updated' | 'deleted' | 'policies_attached' | 'policy_detached'}`;

interface ChangeFacts {
  caller: Caller;
  request: RequestFacts;
  /** The policy or the set. */
  id: string;
  name?: string;
  policyIds?: readonly string[];
}

/** What an operator wants to know of a judged action. */
interface JudgedAction {
  readonly verdict: {
    readonly allowed: boolean;
    readonly threatCategory: string;
    readonly serviceStatus: string;
    readonly violations: readonly { readonly rule: { readonly ruleId: string } }[];
  };
  readonly liveSet: { readonly policySetId: string };
  readonly caller: Caller;
  readonly latencyMs: number;
}

/** The call that was decided about. */
interface DecidedApproval {
  readonly approvalId: string;
  readonly toolName: string;
  readonly sessionId: string;
  readonly policySetId: string;
  readonly gatewayId: string;
  readonly actingUser: string;
  readonly status: string;
  readonly note: string | null;
  readonly wanted: readonly { readonly description: string }[];
}

/** What happens here that an operator wants to see, a function each. */
export interface ActionGuardEvents {
  /** An action was judged, and its log entry was written or taken to be written. */
  evaluated(judged: JudgedAction): void;
  /** Somebody changed what is enforced. */
  changed(event: Change, facts: ChangeFacts): Promise<void>;
  /** Somebody approved or denied a call; told without its arguments, which may hold secrets. */
  decided(asking: Asking, approve: boolean, after: DecidedApproval, tx: Queries): Promise<void>;
  /** A mail about a blocked action went out. */
  noticeSent(policySetId: string, recipients: number): void;
  extractionEnded(jobId: string, status: string, rules: number): void;
}

export function createEvents(
  log: Logger,
  metrics: Metrics | undefined,
  audit: Identity['audit'],
): ActionGuardEvents {
  const verdicts = metrics?.counter({
    name: 'bulwark_action_guard_verdicts_total',
    help: 'Actions judged.',
    labelNames: ['allowed', 'threat_category', 'service_status'],
  });
  const notices = metrics?.counter({
    name: 'bulwark_action_guard_notices_total',
    help: 'Mails about blocked actions.',
    labelNames: [],
  });
  const extractions = metrics?.counter({
    name: 'bulwark_action_guard_extractions_total',
    help: 'Extraction jobs that ended.',
    labelNames: ['status'],
  });
  return {
    evaluated({ verdict, liveSet, caller, latencyMs }) {
      verdicts?.inc({
        allowed: String(verdict.allowed),
        threat_category: verdict.threatCategory,
        service_status: verdict.serviceStatus,
      });
      if (verdict.allowed) return;
      log.info(
        {
          policy_set_id: liveSet.policySetId,
          tenant_id: caller.tenantId,
          user_id: caller.userId,
          rule_ids: verdict.violations.map(({ rule }) => rule.ruleId),
          threat_category: verdict.threatCategory,
          latency_ms: latencyMs,
        },
        'action blocked',
      );
    },
    changed: (event, { caller, request, id, name, policyIds }) =>
      audit({
        event,
        caller,
        request,
        details: { id, ...(name !== undefined && { name }), ...(policyIds && { policy_ids: policyIds }) },
      }),
    decided: (asking, approve, after, tx) =>
      audit(
        {
          event: `action_${approve ? 'approved' : 'denied'}`,
          ...asking,
          details: {
            id: after.approvalId,
            tool: after.toolName,
            session_id: after.sessionId,
            policy_set_id: after.policySetId,
            ...(after.gatewayId !== '' && { gateway_id: after.gatewayId }),
            ...(after.actingUser !== '' && { acting_user: after.actingUser }),
            rules: after.wanted.map(({ description }) => description),
            note: after.note,
            changes: { status: { old: 'pending', new: after.status } },
          },
        },
        tx,
      ),
    noticeSent(policySetId, recipients) {
      notices?.inc();
      log.info({ policy_set_id: policySetId, recipients }, 'notice of a blocked action sent');
    },
    extractionEnded(jobId, status, rules) {
      extractions?.inc({ status });
      log.info({ job_id: jobId, status, rules }, 'rule extraction ended');
    },
  };
}
