/** What a policy group is, and what one write makes of it. No database, no wire. */
import { isDeepStrictEqual } from 'node:util';
import { conflict, invalid, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { DetectorSlug, Strictness } from '#engine/text/types.ts';
import type { Visibility } from '#identity/sharing.ts';
import { maxGroupCharacters, maxPolicies } from '../../contract/policies.ts';

export interface PolicyFields {
  readonly name: string;
  readonly description: string;
  readonly blockActivities: readonly string[];
  readonly safeActivities: readonly string[];
  readonly enabled: boolean;
}

export interface Policy extends PolicyFields {
  readonly id: string;
  /** Set for built-in policies and their copies; requests cannot set it. */
  readonly detector?: DetectorSlug | undefined;
  /** What the optimisation lab taught it. */
  readonly tuningId?: string | undefined;
}

/** What a write can change. */
export interface GroupContent extends Snapshot {
  /** A template is read by everybody of the tenant. */
  readonly visibility: Visibility;
}

/** What the history stores of a group. */
export interface Snapshot {
  readonly name: string;
  readonly description: string;
  readonly threshold: number;
  readonly strictnessLevel: Strictness;
  readonly isTemplate: boolean;
  readonly policies: readonly Policy[];
}

export interface PolicyGroup extends GroupContent {
  readonly groupUuid: string;
  /** Null, as the owner, for groups that ship with the product. */
  readonly tenantId: string | null;
  readonly ownerId: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type HistoryAction =
  | 'created'
  | 'updated'
  | 'policy_added'
  | 'policy_updated'
  | 'policy_deleted'
  | 'copied'
  | 'optimized'
  | 'restored';

export interface HistoryEntry {
  readonly version: number;
  readonly action: HistoryAction;
  readonly changedBy: string | null;
  readonly changedAt: Date;
  readonly summary: string;
  readonly snapshot: Snapshot;
}

/** A policy of a whole list that is sent; `id` where it claims to be one that the group has. */
export type SentPolicy = PolicyFields & { readonly id?: string | undefined };

/** One write: what the group becomes, and a sentence about it. */
export interface Change {
  readonly action: HistoryAction;
  readonly summary: string;
  readonly content: GroupContent;
}

type Defined<T> = { [K in keyof T]?: T[K] | undefined };
export type GroupChanges = Defined<Omit<GroupContent, 'policies'> & { policies: readonly SentPolicy[] }>;

/** The first content of a group. */
export function created({
  visibility,
  ...fields
}: Omit<Snapshot, 'policies'> & {
  policies: readonly SentPolicy[];
  visibility: Visibility | undefined;
}): Change {
  const policies = fields.policies.map((sent) => ({ ...sent, id: newUuid() }));
  const content = checked({ ...fields, policies, visibility: visibilityOf(fields, visibility) });
  return { action: 'created', summary: `Created with ${count(policies.length)}.`, content };
}

/** A group of one's own with the content of another. */
export function copied(original: PolicyGroup, name = copyName(original.name)): Change {
  const { description, threshold, strictnessLevel } = original;
  const policies = original.policies.map((policy) => ({ ...policy, id: newUuid() }));
  return {
    action: 'copied',
    summary: `Copied from ${quoted(original.name)} (${original.groupUuid}, version ${original.version}).`,
    content: {
      name,
      description,
      threshold,
      strictnessLevel,
      isTemplate: false,
      visibility: 'private',
      policies,
    },
  };
}

/** Fields that are sent take their new values; a list of policies replaces the old one. */
export function updated(before: GroupContent, changes: GroupChanges): Change {
  const { policies: sent, visibility, ...fields } = changes;
  const policies = sent === undefined ? before.policies : relisted(before.policies, sent);
  const after = { ...before, ...withoutUndefined(fields), policies };
  const content = checked({ ...after, visibility: visibilityOf(after, visibility, before) });
  return { action: 'updated', summary: describeUpdate(before, content), content };
}

/**
 * A template is shared, and is private again when it is no longer one, unless the write says otherwise.
 * @throws AppError 422 for a template that is to be private.
 */
function visibilityOf(
  { isTemplate }: Pick<Snapshot, 'isTemplate'>,
  sent: Visibility | undefined,
  before?: GroupContent,
): Visibility {
  if (isTemplate && sent === 'private')
    throw invalid(
      "'visibility' cannot be private while 'is_template' is true: everybody reads templates. Send 'is_template': false with it.",
    );
  if (isTemplate) return 'tenant';
  return sent ?? (before === undefined || before.isTemplate ? 'private' : before.visibility);
}

/** The policy goes to the end of the list. */
export function policyAdded(before: GroupContent, fields: PolicyFields): Change & { policy: Policy } {
  if (before.policies.length >= maxPolicies)
    throw conflict(
      `The group has ${maxPolicies} policies, the most that a group can have. Remove one first.`,
    );
  const policy: Policy = { ...fields, id: newUuid() };
  const content = checked({ ...before, policies: [...before.policies, policy] });
  return { action: 'policy_added', summary: `Added the policy ${quoted(policy.name)}.`, content, policy };
}

/** @throws AppError 404 when the group has no such policy. */
export function policyUpdated(
  before: GroupContent,
  policyId: string,
  changes: Defined<PolicyFields>,
): Change & { policy: Policy } {
  const old = getPolicy(before, policyId);
  const policy: Policy = { ...old, ...withoutUndefined(changes) };
  const content = checked({
    ...before,
    policies: before.policies.map((each) => (each === old ? policy : each)),
  });
  const named =
    policy.name === old.name ? quoted(old.name) : `${quoted(old.name)}, now ${quoted(policy.name)}`;
  return { action: 'policy_updated', summary: `Changed the policy ${named}.`, content, policy };
}

/** @throws AppError 404 when the group has no such policy. */
export function policyDeleted(before: GroupContent, policyId: string): Change {
  const old = getPolicy(before, policyId);
  const policies = before.policies.filter((each) => each !== old);
  return {
    action: 'policy_deleted',
    summary: `Removed the policy ${quoted(old.name)}.`,
    content: { ...before, policies },
  };
}

/** Policies that the optimisation lab has changed, in the places of those with their ids. */
export function optimized(before: GroupContent, changed: readonly Policy[], summary: string): Change {
  const byId = new Map(changed.map((policy) => [policy.id, policy]));
  const policies = before.policies.map((policy) => byId.get(policy.id) ?? policy);
  return { action: 'optimized', summary, content: checked({ ...before, policies }) };
}

/** The group as an earlier write left it; who may read it stays as it is now. */
export function restored(before: GroupContent, { version, snapshot }: HistoryEntry): Change {
  const now = new Map(before.policies.map((policy) => [policy.id, policy]));
  const policies = snapshot.policies.map((policy) => {
    const known = now.get(policy.id);
    // The same object means that nothing has changed.
    return known !== undefined && isDeepStrictEqual(plainOf(known), plainOf(policy)) ? known : policy;
  });
  return {
    action: 'restored',
    summary: `Restored version ${version}.`,
    content: { ...before, ...snapshot, policies, isTemplate: before.isTemplate },
  };
}

/** Without the difference between undefined and left out. */
const plainOf = (policy: Policy): unknown => JSON.parse(JSON.stringify(policy));

function getPolicy(group: GroupContent, policyId: string): Policy {
  const id = policyId.toLowerCase();
  const policy = group.policies.find((each) => each.id === id);
  if (policy === undefined) throw notFound('The policy');
  return policy;
}

/** Known ids keep their policy's identity and detector; all others are new. */
function relisted(before: readonly Policy[], sent: readonly SentPolicy[]): Policy[] {
  const known = new Map(before.map((policy) => [policy.id, policy]));
  const used = new Set<string>();
  return sent.map(({ id: sentId, ...fields }, index) => {
    const old = sentId === undefined ? undefined : known.get(sentId.toLowerCase());
    if (old === undefined) return { ...fields, id: newUuid() };
    if (used.has(old.id))
      throw invalid(`'policies[${index}]._id' is in the list twice; send it once, and new policies without.`);
    used.add(old.id);
    return { ...fields, id: old.id, detector: old.detector, tuningId: old.tuningId };
  });
}

function checked(content: GroupContent): GroupContent {
  const names = new Set<string>();
  let characters = 0;
  for (const policy of content.policies) {
    if (names.has(policy.name))
      throw conflict(`Two policies are named ${quoted(policy.name)}; names must differ within a group.`);
    names.add(policy.name);
    characters += sizeOf(policy);
  }
  if (characters > maxGroupCharacters)
    throw invalid(
      `The policies have ${characters} characters together; a group takes ${maxGroupCharacters}. ` +
        'Spread them over several groups.',
    );
  return content;
}

const sizeOf = ({ name, description, blockActivities, safeActivities }: PolicyFields) =>
  [name, description, ...blockActivities, ...safeActivities].reduce((sum, text) => sum + text.length, 0);

function describeUpdate(before: GroupContent, after: GroupContent): string {
  const changed: string[] = (
    [
      ['name', 'name'],
      ['description', 'description'],
      ['threshold', 'threshold'],
      ['strictnessLevel', 'strictness level'],
      ['isTemplate', 'template'],
      ['visibility', 'sharing'],
    ] as const
  )
    .filter(([key]) => before[key] !== after[key])
    .map(([, word]) => word);
  if (before.policies !== after.policies) changed.push(describeList(before.policies, after.policies));
  return changed.length === 0 ? 'Nothing changed.' : `Changed: ${changed.join(', ')}.`;
}

function describeList(before: readonly Policy[], after: readonly Policy[]): string {
  const kept = new Set(before.map(({ id }) => id)).intersection(new Set(after.map(({ id }) => id))).size;
  return `policies (${kept} kept, ${after.length - kept} added, ${before.length - kept} removed)`;
}

/** `<original name>_copy`, shortened where it would be longer than a name may be. */
const copyName = (name: string) => `${name.slice(0, 250).replace(/[\uD800-\uDBFF]$/, '')}_copy`;

const quoted = (name: string) => `"${name}"`;
const count = (policies: number) => `${policies} ${policies === 1 ? 'policy' : 'policies'}`;

const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
