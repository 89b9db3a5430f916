import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';

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

/** What happens here that an operator wants to see, a function each. */
export interface ActionGuardEvents {
  /** An action was judged, and its log entry was written or taken to be written. */
  evaluated(judged: JudgedAction): void;
  /** A mail about a blocked action went out. */
  noticeSent(policySetId: string, recipients: number): void;
  extractionEnded(jobId: string, status: string, rules: number): void;
}

export function createEvents(log: Logger, metrics: Metrics | undefined): ActionGuardEvents {
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
