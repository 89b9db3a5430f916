import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type {
  PolicyGroup as PolicyGroupOnWire,
  PolicyGroupChanges,
  PolicyGroupInput,
} from '../../contract/groups.ts';
import type { Policy as PolicyOnWire, PolicyChanges, PolicyInput } from '../../contract/policies.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import { type Interval, rocInterval } from '#engine/evaluation/intervals.ts';
import { detectorQuality } from '#engine/text/detector-quality.ts';
import { qualityOf } from '#engine/text/policy-quality.ts';
import type { DetectorSlug } from '#engine/text/types.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { MeasuredQuality } from '../test-cases/test-case-store.ts';
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

const rounded = ({ low, high }: Interval) => ({ low: threeDecimals(low), high: threeDecimals(high) });

type JudgedBy = NonNullable<WirePolicy['judged_by']>;

/** What is known of policies beside what they are. */
export interface Known {
  readonly states: ExemplarStates;
  /** What was measured on the test cases of their authors, by policy. */
  readonly cases: ReadonlyMap<string, MeasuredQuality>;
  /** A language model judges here unless a guard says otherwise. */
  readonly modelJudges: boolean;
}

/** From here on nothing else has to help. */
const good = { quality: 0.95, found: 0.8, flagged: 0.1 };

/** A built-in detector does not go by its policy's text, so that no activities would help. */
function viewDetector(slug: DetectorSlug, { tuningId }: Policy, modelJudges: boolean): JudgedBy {
  const { source, violating, harmless, quality, found, flagged } = detectorQuality(slug);
  return {
    embedded: {
      quality,
      interval: rounded(rocInterval(quality, violating, harmless)),
      measured_on: 'public_data',
      source,
      kind: 'detector',
      cases: { violating, harmless },
      found,
      near_flagged: flagged,
    },
    would_help: [
      ...(modelJudges ? [] : (['language_model'] as const)),
      ...(tuningId === undefined ? (['examples'] as const) : []),
    ],
  };
}

/** A model reads the policy; examples teach where it flags, and only from some dozens on what it means. */
const whatWouldHelp = (policy: Policy, hasModel: boolean): JudgedBy['would_help'] => [
  ...(hasModel ? [] : (['language_model'] as const)),
  ...(policy.tuningId === undefined ? (['examples'] as const) : []),
  ...(policy.blockActivities.length === 0 ? (['block_activities'] as const) : []),
  ...(policy.safeActivities.length === 0 ? (['safe_activities'] as const) : []),
];

/** What was measured on its own test cases, else on policies like this one, and what this one lacks. */
function viewJudgedBy(policy: Policy, { states, cases, modelJudges }: Known): JudgedBy {
  const own = cases.get(policy.id);
  const wouldHelp = whatWouldHelp(policy, modelJudges || states?.get(policy.id)?.status === 'ready');
  if (policy.detector !== undefined && own === undefined)
    return viewDetector(policy.detector, policy, modelJudges);
  const { kind, policies, near, found, foundPlain, nearFlagged } = qualityOf(policy);
  if (own !== undefined) {
    const isGood = own.quality >= good.quality && own.found >= good.found && own.flagged <= good.flagged;
    return {
      embedded: {
        quality: threeDecimals(own.quality),
        interval: rounded(rocInterval(own.quality, own.violating, own.harmless)),
        measured_on: 'test_cases',
        kind: policy.detector === undefined ? kind : 'detector',
        cases: { violating: own.violating, harmless: own.harmless },
        found: threeDecimals(own.found),
        near_flagged: threeDecimals(own.flagged),
      },
      would_help: isGood ? [] : wouldHelp,
    };
  }
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

/**
 * The detector of a built-in policy stays inside.
 * @param known undefined for a policy of the history
 */
export const viewPolicy = (policy: Policy, known?: Known): WirePolicy => ({
  _id: policy.id,
  name: policy.name,
  description: policy.description,
  block_activities: [...policy.blockActivities],
  safe_activities: [...policy.safeActivities],
  enabled: policy.enabled,
  ...(policy.tuningId !== undefined && { tuning_id: policy.tuningId }),
  ...(known?.states !== undefined && { exemplars: viewExemplars(known.states.get(policy.id)) }),
  ...(known !== undefined && { judged_by: viewJudgedBy(policy, known) }),
});

const viewContent = (content: Snapshot, known?: Known) => ({
  name: content.name,
  description: content.description,
  threshold: content.threshold,
  strictness_level: content.strictnessLevel,
  is_template: content.isTemplate,
  policies: content.policies.map((policy) => viewPolicy(policy, known)),
});

export const viewGroup = (
  group: PolicyGroup,
  known: Known,
  nameOf: NameOf,
): z.output<typeof PolicyGroupOnWire> => ({
  group_uuid: group.groupUuid,
  ...viewContent(group, known),
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
  snapshot: viewContent(entry.snapshot),
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
