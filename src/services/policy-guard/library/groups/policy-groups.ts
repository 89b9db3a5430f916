import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { PolicyGroup as PolicyGroupOnWire } from '../../contract/groups.ts';
import type { PolicyExemplars } from '../exemplars/exemplars.ts';
import type { LiveTunings } from '../tunings/live-tunings.ts';
import { readShippedTemplates } from '../templates/shipped-templates.ts';
import { Groups, type GroupsDeps } from './groups.ts';
import type { JudgedGroup } from './judged-group.ts';
import { findCompiledGroup } from './store.ts';
import { MeasuredCases, type MeasuredCasesDeps } from '../test-cases/measured-cases.ts';
import { createGroupViews } from './group-views.ts';
import { openJudgedGroups } from './judged-groups.ts';
import type { PolicyGroup } from '../policies/policy-group.ts';
import { createHandlers, operations } from './routes.ts';

/** Policy groups, their policies, history and templates. */
export interface PolicyGroups extends AsyncDisposable {
  readonly operations: typeof operations;
  readonly handlers: Handlers<typeof operations, Caller>;
  /**
   * The groups of the tenant and those that ship with the product, compiled, enabled policies only, in the order
   * asked; unknown ones are left out. In memory while warm; a write anywhere is seen at once.
   */
  judgedGroups(tenantId: string, groupUuids: readonly string[]): Promise<JudgedGroup[]>;
  /** Which of the groups the caller may attach to a guard: those that the caller may read. */
  attachable(caller: Caller, groupUuids: readonly string[]): Promise<Set<string>>;
  /** Prevents groups from being deleted until the transaction ends; returns the first that is already deleted. */
  readonly hold: Groups['hold'];
  /** A group of any owner in the tenant; undefined for those that ship with the product. */
  stored(tenantId: string, groupUuid: string): Promise<PolicyGroup | undefined>;
  readonly own: Groups['own'];
  readonly change: Groups['change'];
  readonly names: Groups['names'];
  /** A group as responses return it. */
  viewed(group: PolicyGroup): Promise<z.output<typeof PolicyGroupOnWire>>;
  /** The groups that the caller may attach, up to a thousand of them. */
  library(caller: Caller): Promise<readonly PolicyGroup[]>;
}

export interface PolicyGroupsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: GroupsDeps['audit'];
  readonly engine: Pick<TextEngine, 'compile' | 'version'> & MeasuredCasesDeps['engine'];
  readonly log: Logger;
  /** While the database is unavailable, cached groups stay valid for this long, unless a notification invalidated them. */
  readonly staleMs: number;
  readonly exemplars: PolicyExemplars;
  readonly tunings: Pick<LiveTunings, 'headOf'>;
  readonly userNames: UserNames;
  /** The guards of a tenant that have the group attached; while there are any, it is not deleted. */
  readonly guardsUsing: GroupsDeps['guardsUsing'];
  /** A language model judges unless a guard says otherwise. Default: none does. */
  readonly modelJudges?: boolean;
  /** Takes part in the transaction that deletes a group. */
  readonly removing: GroupsDeps['removing'];
}

/**
 * The feature, ready to be mounted.
 * @throws StartupError when a template that ships with the product is broken.
 */
export async function createPolicyGroups(deps: PolicyGroupsDeps): Promise<PolicyGroups> {
  const shipped = readShippedTemplates();
  const judged = await openJudgedGroups({
    ...deps,
    shipped,
    headOf: deps.exemplars.headOf,
    tuningOf: deps.tunings.headOf,
  });
  const groups = new Groups({ ...deps, shipped, onChanged: (groupUuid) => judged.forget(groupUuid) });
  const measuredCases = new MeasuredCases({
    ...deps,
    judgedGroups: (tenantId, groupUuids) => judged.get(tenantId, groupUuids),
  });
  const views = createGroupViews({
    userNames: deps.userNames,
    exemplarStates: (groupUuids) => deps.exemplars.states(groupUuids),
    measured: (tenantId, groupUuids) => measuredCases.of(tenantId, groupUuids),
    modelJudges: deps.modelJudges ?? false,
  });
  return {
    operations,
    handlers: createHandlers(groups, views),
    names: (tenantId, groupUuids) => groups.names(tenantId, groupUuids),
    judgedGroups: (tenantId, groupUuids) => judged.get(tenantId, groupUuids),
    attachable: (caller, groupUuids) => groups.attachable(caller, groupUuids),
    hold: (tx, groupUuids) => groups.hold(tx, groupUuids),
    stored: (tenantId, groupUuid) => findCompiledGroup(deps.db, tenantId, groupUuid),
    own: (caller, groupUuid) => groups.own(caller, groupUuid),
    change: (asking, groupUuid, decide, alongside) => groups.change(asking, groupUuid, decide, alongside),
    viewed: (group) => views.one(group),
    library: async (caller) => (await groups.list(caller, { limit: 1000, offset: 0 }, 'all')).groups,
    async [Symbol.asyncDispose]() {
      await measuredCases.settled();
      await judged[Symbol.asyncDispose]();
    },
  };
}
