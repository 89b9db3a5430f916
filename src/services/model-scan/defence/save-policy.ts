/** Saves a proposed policy in a group of its own, and attaches the group to a guard. */
import type { AskService } from '#base/contract/ask-service.ts';
import { AppError, badRequest, notFound } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { policyGroupOperations } from '#services/policy-guard/contract/groups.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import { templateOperations } from '#services/policy-guard/contract/templates.ts';
import type { Received } from '#base/contract/operation.ts';
import type { PolicyText } from './candidates.ts';
import type { Place } from './exchanges.ts';

export interface PolicyToSave {
  readonly place: Place;
  readonly template?: { readonly group_uuid: string; readonly policy_id: string } | null | undefined;
  readonly policy?: PolicyText | null | undefined;
  readonly threshold: number;
  readonly strictness_level: 'low' | 'medium' | 'high';
  readonly group_name?: string | undefined;
  readonly guard_uuid?: string | undefined;
  /** What the policy is against, for people. */
  readonly origin: string;
}

type Group = Received<typeof policyGroupOperations.getPolicyGroup>;

interface Access {
  readonly ask: AskService<Caller>;
  readonly caller: Caller;
}

const pageSize = 500;
const mostPages = 10;

/** @throws AppError of the policy guard: 403, 404, 422 that names the field */
export async function savePolicy(ask: AskService<Caller>, caller: Caller, asked: PolicyToSave) {
  const access = { ask, caller };
  const wanted = await policyToSave(access, asked);
  const head = {
    name: asked.group_name ?? wanted.name,
    description: `${asked.origin} Judged on what ${asked.place === 'request' ? 'users send' : 'the model answers'}.`,
    threshold: asked.threshold,
    strictness_level: asked.strictness_level,
  };
  const there = await findSaved(access, head, wanted);
  const group =
    there ??
    (asked.template
      ? await copyTemplate(access, asked.template.group_uuid, wanted.name, head)
      : await ask(policyGroupOperations.createPolicyGroup, caller, {
          body: { ...head, policies: [wanted] },
        }));
  if (asked.guard_uuid !== undefined) await attach(access, asked.guard_uuid, group.group_uuid);
  return {
    group_uuid: group.group_uuid,
    policy_id: group.policies[0]?._id ?? '',
    guard_uuid: asked.guard_uuid ?? null,
    created: there === undefined,
    message: messageOf(asked),
  };
}

/** @throws AppError 400 where there is none, or where the text is not that of the template */
async function policyToSave(access: Access, { template, policy }: PolicyToSave): Promise<PolicyText> {
  if (template) {
    const shipped = await findTemplatePolicy(access, template);
    if (policy && textOf(policy) !== textOf(shipped))
      throw badRequest(
        "'policy' is not that of 'template'. Leave one of them out: a policy that ships cannot be saved with another text.",
      );
    return shipped;
  }
  if (policy) return policy;
  throw badRequest("'template' or 'policy' is missing: send one of them, or a proposal as it is.");
}

function messageOf({ guard_uuid: guard, place }: PolicyToSave): string {
  const use =
    place === 'reply'
      ? 'Ask the guard about what the model answers, with the context “reply”.'
      : 'Ask the guard about what users send.';
  return guard === undefined
    ? `The policy is saved in a group of its own. It is enforced by guards that the group is attached to. ${use}`
    : `The policy is saved, and its group is attached to the guard. ${use}`;
}

async function findTemplatePolicy(
  { ask, caller }: Access,
  { group_uuid: id, policy_id: policyId }: NonNullable<PolicyToSave['template']>,
): Promise<PolicyText> {
  const params = { group_uuid: id };
  const { policies } = await ask(policyGroupOperations.getPolicyGroup, caller, { params });
  const found = policies.find(({ _id }) => _id === policyId);
  if (found === undefined) throw notFound("The policy 'template.policy_id'");
  return found;
}

type Head = Pick<Group, 'name' | 'description' | 'threshold' | 'strictness_level'>;

/** A group of the caller that was saved for the same test with the same content: saving twice makes one. */
async function findSaved(
  { ask, caller }: Access,
  head: Head,
  wanted: PolicyText,
): Promise<Group | undefined> {
  const content = contentOf(head, [wanted]);
  for (let page = 0; page < mostPages; page += 1) {
    const query = { owner: 'me' as const, limit: pageSize, offset: page * pageSize };
    const { policy_groups: groups, total } = await ask(policyGroupOperations.listPolicyGroups, caller, {
      query,
    });
    const found = groups.find(
      (group) => group.owner_id === caller.userId && contentOf(group, group.policies) === content,
    );
    if (found !== undefined || query.offset + pageSize >= total) return found;
  }
  return undefined;
}

const contentOf = (
  { name, description, threshold, strictness_level: strictness }: Head,
  policies: readonly PolicyText[],
): string => JSON.stringify([name, description, threshold, strictness, policies.map(textOf)]);

const textOf = ({ name, description, block_activities: block, safe_activities: safe }: PolicyText): string =>
  JSON.stringify([name, description, block, safe]);

/** Copied, so that a built-in policy keeps its detector; the others of the template are taken out. */
async function copyTemplate({ ask, caller }: Access, id: string, policy: string, head: Head): Promise<Group> {
  const copy = await ask(templateOperations.copyTemplate, caller, {
    params: { template_id: id },
    query: { name: head.name },
  });
  const params = { group_uuid: copy.group_uuid };
  try {
    const policies = copy.policies
      .filter(({ name }) => name === policy)
      .map(({ _id, name, description, block_activities, safe_activities }) => ({
        _id,
        name,
        description,
        block_activities,
        safe_activities,
      }));
    return await ask(policyGroupOperations.replacePolicyGroup, caller, {
      params,
      body: { ...head, policies },
    });
  } catch (error) {
    await ask(policyGroupOperations.deletePolicyGroup, caller, { params }).catch(() => {});
    throw error;
  }
}

async function attach({ ask, caller }: Access, guardId: string, groupId: string): Promise<void> {
  const params = { guard_uuid: guardId };
  try {
    const { policy_group_uuids: groups } = await ask(guardOperations.getGuard, caller, { params });
    if (groups.includes(groupId)) return;
    const body = { policy_group_uuids: [...groups, groupId] };
    await ask(guardOperations.updateGuard, caller, { params, body });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.status,
      error.code,
      `The policy is saved in the group ${groupId}, but the group was not attached to 'guard_uuid': ${error.detail}`,
      { cause: error },
    );
  }
}
