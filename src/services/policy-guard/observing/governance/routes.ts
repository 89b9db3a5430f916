import type { Answer } from '#base/contract/operation.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { governanceOperations } from '../../contract/governance.ts';
import { countHours, type Hours, type HoursDeps, type Judged } from './hours.ts';
import type { Counts, FoundCounts } from './store.ts';
import { summarise, type Coverage, type Summary, type SummaryDeps } from './summary.ts';

type WireHours = Answer<(typeof governanceOperations)['getGovernanceHours']>;
type WireSummary = Answer<(typeof governanceOperations)['getGovernanceSummary']>;

const mostTop = 10;

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);

const countsToWire = ({ requests, flagged, observed, allowed }: Counts) => ({
  requests,
  flagged,
  observed,
  allowed,
  flag_rate: share(flagged, requests),
});

const foundToWire = ({ requests, flagged, observed }: FoundCounts) => ({
  requests,
  flagged,
  observed,
  flag_rate: share(flagged, requests),
});

const sumOf = (rows: readonly Counts[]): Counts => ({
  requests: rows.reduce((sum, row) => sum + row.requests, 0),
  flagged: rows.reduce((sum, row) => sum + row.flagged, 0),
  observed: rows.reduce((sum, row) => sum + row.observed, 0),
  allowed: rows.reduce((sum, row) => sum + row.allowed, 0),
});

const coverageToWire = (coverage: Coverage): WireSummary['coverage'] => ({
  groups_total: coverage.groupsTotal,
  groups_attached: coverage.groupsAttached,
  policies_total: coverage.policiesTotal,
  policies_active: coverage.policiesActive,
  policies_observed_only: coverage.policiesObservedOnly,
  policies_triggered: coverage.policiesTriggered,
  share: share(coverage.policiesActive, coverage.policiesTotal),
  unattached_groups: coverage.unattached.map(({ groupUuid, name }) => ({
    policy_group_uuid: groupUuid,
    name,
  })),
});

function summaryToWire({ start, end, guards, groups, policies, days, coverage }: Summary): WireSummary {
  const wirePolicies = policies.map((each) => ({
    policy_group_uuid: each.groupUuid,
    policy_group_name: each.groupName ?? null,
    policy: each.policy,
    ...foundToWire(each),
  }));
  return {
    start,
    end,
    totals: countsToWire(sumOf(days)),
    guards: guards.map(({ guardUuid, name, facts, ...counts }) => ({
      guard_uuid: guardUuid,
      name: name ?? null,
      deleted: facts === undefined,
      enabled: facts?.enabled ?? false,
      mode: facts?.mode ?? null,
      ...countsToWire(counts),
    })),
    groups: groups.map((each) => ({
      policy_group_uuid: each.groupUuid,
      name: each.name ?? null,
      ...foundToWire(each),
    })),
    policies: wirePolicies,
    top_policies: wirePolicies.slice(0, mostTop),
    days: days.map(({ day, ...counts }) => ({ day, ...countsToWire(counts) })),
    coverage: coverageToWire(coverage),
  };
}

const judgedToWire = ({ latencyMsAvg, latencyMsP95, ...counts }: Judged) => ({
  ...countsToWire(counts),
  latency_ms_avg: latencyMsAvg,
  latency_ms_p95: latencyMsP95,
});

const hoursToWire = ({ start, end, totals, hours }: Hours): WireHours => ({
  start,
  end,
  totals: judgedToWire(totals),
  hours: hours.map(({ hour, ...judged }) => ({ hour, ...judgedToWire(judged) })),
});

export const governanceHandlers = (
  deps: SummaryDeps & HoursDeps,
): Handlers<typeof governanceOperations, Caller> => ({
  getGovernanceSummary: async ({ caller, query }) => {
    const { start, end, guard_uuid: guardUuid } = query;
    return summaryToWire(await summarise(deps, caller, { start, end, guardUuid }));
  },
  getGovernanceHours: async ({ caller, query: { hours, guard_uuid: guardUuid } }) =>
    hoursToWire(await countHours(deps, caller, { hours, guardUuid })),
});
