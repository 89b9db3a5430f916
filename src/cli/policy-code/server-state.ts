/** What the server has of the caller's, in the form of the file, with the ids that changing it needs. */
import { createClient } from '#base/contract/client.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { policyGroupOperations } from '#services/policy-guard/contract/groups.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import { templateOperations } from '#services/policy-guard/contract/templates.ts';
import { type GroupEntry, type GuardEntry, type PolicyDocument, refuseDuplicateNames } from './document.ts';

const operations = {
  ...policyGroupOperations,
  ...templateOperations,
  ...guardOperations,
  me: authOperations.me,
};

export const connect = (baseUrl: string, headers: () => Record<string, string>) =>
  createClient(operations, { baseUrl, headers });

export type Server = ReturnType<typeof connect>;
type WireGroup = Awaited<ReturnType<Server['getPolicyGroup']>>;
type WireGuard = Awaited<ReturnType<Server['getGuard']>>;

export interface ServerState {
  readonly document: PolicyDocument;
  /** The caller's own, by name. */
  readonly groups: ReadonlyMap<string, WireGroup>;
  readonly guards: ReadonlyMap<string, WireGuard>;
  /** Those of others that the caller may attach, by name; the first of a name, which is the product's own. */
  readonly templates: ReadonlyMap<string, WireGroup>;
}

const pageSize = 500;

async function allOf<T>(
  page: (query: { limit: number; offset: number }) => Promise<{ items: T[]; total: number }>,
) {
  const found: T[] = [];
  for (;;) {
    const { items, total } = await page({ limit: pageSize, offset: found.length });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

/** @throws AppError 422 when two of the caller's groups, or guards, have the same name. */
export async function readServer(server: Server): Promise<ServerState> {
  const { id: userId } = await server.me();
  const readable = await allOf(async (query) => {
    const { policy_groups: items, total } = await server.listPolicyGroups({ query });
    return { items, total };
  });
  const guards = await allOf(async (query) => {
    const { guards: items, total } = await server.listGuards({ query });
    return { items, total };
  });
  const groups = readable.filter(({ owner_id: owner }) => owner === userId);
  refuseDuplicateNames('policy_groups', groups);
  refuseDuplicateNames('guards', guards);
  const others = readable.filter(({ owner_id: owner }) => owner !== userId);
  const shippedFirst = others.toSorted((a, b) => Number(a.owner_id !== null) - Number(b.owner_id !== null));
  const byUuid = new Map(readable.map((group) => [group.group_uuid, group]));
  return {
    document: {
      bulwark_policies: 1,
      policy_groups: groups.map(groupEntry),
      guards: guards.map((guard) => guardEntry(guard, byUuid, userId)),
    },
    groups: new Map(groups.map((group) => [group.name, group])),
    guards: new Map(guards.map((guard) => [guard.name, guard])),
    templates: new Map(shippedFirst.toReversed().map((group) => [group.name, group])),
  };
}

const groupEntry = (group: WireGroup): GroupEntry => ({
  name: group.name,
  description: group.description,
  threshold: group.threshold,
  strictness_level: group.strictness_level,
  is_template: group.is_template,
  policies: group.policies.map((policy) => ({
    name: policy.name,
    description: policy.description,
    enabled: policy.enabled,
    block_activities: policy.block_activities,
    safe_activities: policy.safe_activities,
  })),
});

function guardEntry(guard: WireGuard, byUuid: ReadonlyMap<string, WireGroup>, userId: string): GuardEntry {
  const settings = Object.entries(guard.settings).filter(([, value]) => value !== null);
  return {
    name: guard.name,
    description: guard.description,
    enabled: guard.enabled,
    // A group that its owner no longer shares stays attached; it has no name that could be written.
    policy_groups: guard.policy_group_uuids.flatMap((uuid) => {
      const group = byUuid.get(uuid);
      if (group === undefined) return [];
      const reference = group.owner_id === userId ? { group: group.name } : { template: group.name };
      return [{ ...reference, ...guard.policy_group_overrides[uuid] }];
    }),
    settings: Object.fromEntries(settings),
  };
}
