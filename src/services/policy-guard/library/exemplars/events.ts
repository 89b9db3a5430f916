import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Exemplars, Side } from './exemplar.ts';

/** Log lines and metrics of exemplars, one function per event. */
export interface ExemplarEvents {
  /** The language model returned no examples of a policy; `again` if there will be a retry. */
  exemplarsNotAnswered(of: ExemplarsOf, facts: { side: Side; code: string; again: boolean }): void;
  /** A policy has learned from examples that the language model wrote, or there were too few of them. */
  exemplarsDone(of: ExemplarsOf, status: 'ready' | 'failed', exemplars: Exemplars): void;
}

interface ExemplarsOf {
  readonly tenantId: string;
  readonly groupUuid: string;
  readonly policyId: string;
  readonly model: string;
}

const ofPolicy = ({ tenantId, groupUuid, policyId, model }: ExemplarsOf) => ({
  tenant_id: tenantId,
  group_uuid: groupUuid,
  policy_id: policyId,
  model,
});

export function createExemplarEvents(log: Logger, metrics: Metrics | undefined): ExemplarEvents {
  const exemplars = metrics?.counter({
    name: 'bulwark_policy_guard_exemplars_total',
    help: 'Policies whose exemplars were written by the language model, or were not.',
    labelNames: ['status'],
  });
  return {
    exemplarsNotAnswered(of, { side, code, again }) {
      log.warn({ ...ofPolicy(of), side, code, again }, 'no exemplars from the language model');
    },
    exemplarsDone(of, status, { block, safe }) {
      exemplars?.inc({ status });
      const facts = { ...ofPolicy(of), status, block: block.length, safe: safe.length };
      if (status === 'ready') log.info(facts, 'policy learned from exemplars');
      else log.warn(facts, 'too few exemplars of a policy: it goes on by its text alone');
    },
  };
}
