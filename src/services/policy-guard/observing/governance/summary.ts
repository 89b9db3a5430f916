/** Statistics of guards' verdicts, for those responsible for them. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { invalid } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { mostDays } from '../../contract/governance.ts';
import {
  listGuardFacts,
  sumByDay,
  sumByGuard,
  sumByPolicy,
  type Counts,
  type FoundCounts,
  type GuardFacts,
  type UsageFilter,
} from './store.ts';
import { dayOf } from './usage.ts';

/** A group that the caller may attach to guards. */
export interface LibraryGroup {
  readonly groupUuid: string;
  readonly name: string;
  readonly policies: readonly { readonly name: string; readonly enabled: boolean }[];
}

export interface Coverage {
  readonly groupsTotal: number;
  readonly groupsAttached: number;
  readonly policiesTotal: number;
  readonly policiesActive: number;
  readonly policiesObservedOnly: number;
  readonly policiesTriggered: number;
  readonly unattached: readonly LibraryGroup[];
}

export interface Summary {
  readonly start: string;
  readonly end: string;
  readonly guards: readonly (Counts & {
    guardUuid: string;
    name: string | undefined;
    /** Undefined for a guard that was deleted. */
    facts: GuardFacts | undefined;
  })[];
  readonly groups: readonly (FoundCounts & { name: string | undefined })[];
  /** With the requests of their groups. */
  readonly policies: readonly (FoundCounts & { groupName: string | undefined })[];
  readonly days: readonly (Counts & { day: string })[];
  readonly coverage: Coverage;
}

export interface SummaryDeps {
  readonly db: Queries;
  readonly clock: Clock;
  /** Groups that the caller may attach. */
  readonly library: (caller: Caller) => Promise<readonly LibraryGroup[]>;
  /** Names of the tenant's groups, templates and those that were deleted among them. */
  readonly groupNames: (
    tenantId: string,
    groupUuids: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
  /** Names of guards, deleted ones too. */
  readonly guardNames: (guardUuids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Writes what this process has counted. */
  readonly flush: () => Promise<void>;
}

export interface Asked {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly guardUuid: string | undefined;
}

const dayMs = 86_400_000;

/** @throws AppError 422 where the days are none, or too many. */
function daysOf({ start, end }: Asked, nowMs: number): { start: string; end: string } {
  const last = end ?? dayOf(nowMs);
  const first = start ?? dayOf(Date.parse(last) - 29 * dayMs);
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1) throw invalid("'start' must not be after 'end'.");
  if (days > mostDays)
    throw invalid(`'start' and 'end' span ${days} days; a summary spans ${mostDays} at most.`);
  return { start: first, end: last };
}

function coverageOf(
  library: readonly LibraryGroup[],
  guards: readonly GuardFacts[],
  found: readonly FoundCounts[],
): Coverage {
  const enabled = guards.filter((guard) => guard.enabled);
  const attached = new Set(enabled.flatMap(({ groupUuids }) => groupUuids));
  const enforced = new Set(
    enabled.filter(({ mode }) => mode === 'enforce').flatMap(({ groupUuids }) => groupUuids),
  );
  const active = (groups: readonly LibraryGroup[]) =>
    groups.flatMap(({ policies }) => policies.filter((policy) => policy.enabled)).length;
  const used = library.filter(({ groupUuid }) => attached.has(groupUuid));
  const triggered = new Set(found.filter(({ flagged, observed }) => flagged + observed > 0).map(keyOf));
  return {
    groupsTotal: library.length,
    groupsAttached: used.length,
    policiesTotal: library.reduce((sum, { policies }) => sum + policies.length, 0),
    policiesActive: active(used),
    policiesObservedOnly: active(used.filter(({ groupUuid }) => !enforced.has(groupUuid))),
    policiesTriggered: library.flatMap(({ groupUuid, policies }) =>
      policies.filter(({ name: policy }) => triggered.has(keyOf({ groupUuid, policy }))),
    ).length,
    unattached: library.filter(({ groupUuid }) => !attached.has(groupUuid)),
  };
}

const keyOf = ({ groupUuid, policy }: Pick<FoundCounts, 'groupUuid' | 'policy'>) => `${groupUuid}/${policy}`;

/** An administrator sees the guards of the tenant, others their own. */
export const scopeOf = (caller: Caller): UsageFilter['scope'] =>
  caller.roles.includes('admin')
    ? { column: 'tenant_id', value: caller.tenantId }
    : { column: 'owner_id', value: caller.userId };

/** @throws AppError 422 for days that cannot be summed. */
export async function summarise(deps: SummaryDeps, caller: Caller, asked: Asked): Promise<Summary> {
  const { db, clock } = deps;
  const { start, end } = daysOf(asked, clock.now());
  const filter: UsageFilter = {
    scope: scopeOf(caller),
    guardUuid: asked.guardUuid,
    start,
    end,
  };
  await deps.flush();
  const [byGuard, days, found, facts, library] = await Promise.all([
    sumByGuard(db, filter),
    sumByDay(db, filter),
    sumByPolicy(db, filter),
    listGuardFacts(db, filter),
    deps.library(caller),
  ]);
  const groups = found.filter(({ policy }) => policy === '');
  const names = await deps.groupNames(
    caller.tenantId,
    found.map(({ groupUuid }) => groupUuid),
  );
  const guardNames = await deps.guardNames(byGuard.map(({ guardUuid }) => guardUuid));
  const requests = new Map(groups.map((group) => [group.groupUuid, group.requests]));
  const factsOf = new Map(facts.map((each) => [each.guardUuid, each]));
  return {
    start,
    end,
    guards: byGuard.map((counts) => ({
      ...counts,
      name: guardNames.get(counts.guardUuid),
      facts: factsOf.get(counts.guardUuid),
    })),
    groups: groups.map((group) => ({ ...group, name: names.get(group.groupUuid) })),
    policies: found
      .filter(({ policy }) => policy !== '')
      .map((each) => ({
        ...each,
        groupName: names.get(each.groupUuid),
        requests: requests.get(each.groupUuid) ?? each.flagged + each.observed,
      })),
    days,
    coverage: coverageOf(library, facts, found),
  };
}
