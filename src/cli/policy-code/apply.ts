/** Doing the steps of a plan, through the contract alone. */
import { notFound } from '#base/errors.ts';
import type { GroupEntry, GuardEntry, PolicyDocument } from './document.ts';
import type { Step } from './plan.ts';
import type { Server, ServerState } from './server-state.ts';

/**
 * Applies the steps in order, reporting each when it is done; done steps stay done where a later one fails, and the
 * next run goes on from there.
 */
export async function applySteps(
  server: Server,
  { state, wanted, steps }: { state: ServerState; wanted: PolicyDocument; steps: readonly Step[] },
  onDone: (step: Step) => void,
): Promise<void> {
  const groupUuids = new Map([...state.groups].map(([name, group]) => [name, group.group_uuid]));
  for (const step of steps) {
    if (step.action === 'delete') await remove(server, state, step);
    else if (step.kind === 'policy group') {
      const entry = wanted.policy_groups.find(({ name }) => name === step.name);
      if (entry !== undefined) groupUuids.set(step.name, await saveGroup(server, state, entry));
    } else {
      const entry = wanted.guards.find(({ name }) => name === step.name);
      if (entry !== undefined) await saveGuard(server, state, entry, groupUuids);
    }
    onDone(step);
  }
}

async function remove(server: Server, state: ServerState, { kind, name }: Step): Promise<void> {
  if (kind === 'guard')
    await server.deleteGuard({ params: { guard_uuid: state.guards.get(name)?.guard_uuid ?? '' } });
  else await server.deletePolicyGroup({ params: { group_uuid: state.groups.get(name)?.group_uuid ?? '' } });
}

type WireGroup = Awaited<ReturnType<Server['getPolicyGroup']>>;

/** Policies keep their ids by name, and with them their detectors and what they have learned. */
async function saveGroup(server: Server, state: ServerState, entry: GroupEntry): Promise<string> {
  const present = state.groups.get(entry.name) ?? (await copyOfTemplate(server, state, entry));
  if (present === undefined) return (await server.createPolicyGroup({ body: entry })).group_uuid;
  const ids = new Map(present.policies.map(({ name, _id }) => [name, _id]));
  const policies = entry.policies.map((policy) => ({ ...policy, _id: ids.get(policy.name) }));
  await server.replacePolicyGroup({
    params: { group_uuid: present.group_uuid },
    body: { ...entry, policies },
  });
  return present.group_uuid;
}

/** Only a copy of a built-in policy has its detector: a group that was one begins as one. */
async function copyOfTemplate(
  server: Server,
  { templates }: ServerState,
  { name, policies }: GroupEntry,
): Promise<WireGroup | undefined> {
  const original = [...templates.values()].find(
    (template) =>
      template.owner_id === null &&
      policies.some((policy) =>
        template.policies.some(
          (each) => each.name === policy.name && each.description === policy.description,
        ),
      ),
  );
  if (original === undefined) return undefined;
  return server.copyTemplate({ params: { template_id: original.group_uuid }, query: { name } });
}

async function saveGuard(
  server: Server,
  { guards, templates }: ServerState,
  { policy_groups: attached, ...entry }: GuardEntry,
  groupUuids: ReadonlyMap<string, string>,
): Promise<void> {
  const resolved = attached.map(({ group, template, ...override }) => {
    const uuid = group === undefined ? templates.get(template ?? '')?.group_uuid : groupUuids.get(group);
    if (uuid === undefined)
      throw notFound(
        `The ${group === undefined ? 'template' : 'group'} ${JSON.stringify(group ?? template)} of the guard ${JSON.stringify(entry.name)}`,
      );
    return { uuid, override };
  });
  const body = {
    ...entry,
    policy_group_uuids: resolved.map(({ uuid }) => uuid),
    policy_group_overrides: Object.fromEntries(
      resolved
        .filter(({ override }) => Object.keys(override).length > 0)
        .map(({ uuid, override }) => [uuid, override]),
    ),
  };
  const present = guards.get(entry.name);
  if (present === undefined) await server.createGuard({ body });
  else await server.updateGuard({ params: { guard_uuid: present.guard_uuid }, body });
}
