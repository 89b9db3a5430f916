import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type {
  PolicyGroup as PolicyGroupOnWire,
  PolicyGroupChanges,
  PolicyGroupInput,
} from '../../contract/groups.ts';
import type { Policy as PolicyOnWire, PolicyChanges, PolicyInput } from '../../contract/policies.ts';
import { qualityOf } from '#engine/text/policy-quality.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { ExemplarState } from '../exemplars/exemplar.ts';
import type {
  GroupChanges,
  HistoryEntry,
  Policy,
  PolicyFields,
  PolicyGroup,
  Snapshot,
} from '../policies/policy-group.ts';

type WirePolicy = z.output<typeof PolicyOnWire>;

/** By policy; undefined where none are written. */
export type ExemplarStates = ReadonlyMap<string, ExemplarState> | undefined;

const viewExemplars = (state: ExemplarState | undefined): WirePolicy['exemplars'] => ({
  status: state?.status ?? 'none',
  block: state?.block ?? 0,
  safe: state?.safe ?? 0,
  model: state?.model ?? null,
  updated_at: state === undefined ? null : toIsoTime(state.updatedAt),
});

type JudgedBy = NonNullable<WirePolicy['judged_by']>;

/** What was measured on policies like this one, and what this one lacks. */
function viewJudgedBy(policy: Policy, states: ExemplarStates): JudgedBy {
  const { kind, policies, near, found, foundPlain, nearFlagged } = qualityOf(policy);
  const hasExemplars = states?.get(policy.id)?.status === 'ready';
  const wouldHelp: JudgedBy['would_help'] = [];
  // A model reads the policy; examples teach where it flags, and only from some dozens on what it means.
  if (!hasExemplars) wouldHelp.push('language_model');
  if (policy.tuningId === undefined) wouldHelp.push('examples');
  if (policy.blockActivities.length === 0) wouldHelp.push('block_activities');
  if (policy.safeActivities.length === 0) wouldHelp.push('safe_activities');
  return {
    embedded: {
      quality: near.value,
      interval: { low: near.low, high: near.high },
      measured_on: 'policies_alike',
      kind,
      policies,
      found: found.value,
      found_plain: foundPlain.value,
      near_flagged: nearFlagged.value,
    },
    would_help: wouldHelp,
  };
}

/** The detector of a built-in policy stays inside. */
export const viewPolicy = (policy: Policy, states?: ExemplarStates, isCurrent = true): WirePolicy => ({
  _id: policy.id,
  name: policy.name,
  description: policy.description,
  block_activities: [...policy.blockActivities],
  safe_activities: [...policy.safeActivities],
  enabled: policy.enabled,
  ...(policy.tuningId !== undefined && { tuning_id: policy.tuningId }),
  ...(states !== undefined && { exemplars: viewExemplars(states.get(policy.id)) }),
  ...(isCurrent && policy.detector === undefined && { judged_by: viewJudgedBy(policy, states) }),
});

const viewContent = (content: Snapshot, states?: ExemplarStates, isCurrent = true) => ({
  name: content.name,
  description: content.description,
  threshold: content.threshold,
  strictness_level: content.strictnessLevel,
  is_template: content.isTemplate,
  policies: content.policies.map((policy) => viewPolicy(policy, states, isCurrent)),
});

export const viewGroup = (
  group: PolicyGroup,
  states: ExemplarStates,
  nameOf: NameOf,
): z.output<typeof PolicyGroupOnWire> => ({
  group_uuid: group.groupUuid,
  ...viewContent(group, states),
  owner_id: group.ownerId,
  owner_name: nameOf(group.ownerId),
  visibility: group.visibility,
  version: group.version,
  created_at: toIsoTime(group.createdAt),
  updated_at: toIsoTime(group.updatedAt),
});

export const viewHistoryEntry = (entry: HistoryEntry, nameOf: NameOf) => ({
  version: entry.version,
  action: entry.action,
  changed_by: entry.changedBy,
  changed_by_name: nameOf(entry.changedBy),
  changed_at: toIsoTime(entry.changedAt),
  summary: entry.summary,
  snapshot: viewContent(entry.snapshot, undefined, false),
});

export const readPolicy = (body: z.output<typeof PolicyInput>): PolicyFields => ({
  name: body.name,
  description: body.description,
  blockActivities: body.block_activities,
  safeActivities: body.safe_activities,
  enabled: body.enabled,
});

export const readPolicyChanges = (body: z.output<typeof PolicyChanges>) => ({
  name: body.name,
  description: body.description,
  blockActivities: body.block_activities,
  safeActivities: body.safe_activities,
  enabled: body.enabled,
});

type Listed = z.output<typeof PolicyGroupInput>['policies'][number];

const readListed = (policy: Listed) => ({ ...readPolicy(policy), id: policy._id });

export const readGroup = (body: z.output<typeof PolicyGroupInput>) => ({
  name: body.name,
  description: body.description,
  threshold: body.threshold,
  strictnessLevel: body.strictness_level,
  isTemplate: body.is_template,
  visibility: body.visibility,
  policies: body.policies.map(readListed),
});

export const readGroupChanges = (body: z.output<typeof PolicyGroupChanges>): GroupChanges => ({
  name: body.name,
  description: body.description,
  threshold: body.threshold,
  strictnessLevel: body.strictness_level,
  isTemplate: body.is_template,
  visibility: body.visibility,
  policies: body.policies?.map(readListed),
});
