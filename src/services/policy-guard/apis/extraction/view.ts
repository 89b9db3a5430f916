import type { Answer } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';
import type { extractionOperations } from '../../contract/extraction.ts';
import type { DraftedGroup } from './extraction.ts';
import type { DraftedPolicy } from './drafted-policy.ts';

type WireGroup = Answer<(typeof extractionOperations)['extractPolicies']>;

const viewPolicy = (policy: DraftedPolicy): WireGroup['policies'] =>
  policy.sources.slice(0, 1).map((source) => ({
    name: policy.name,
    description: policy.description,
    block_activities: [...policy.blockActivities],
    safe_activities: [...policy.safeActivities],
    enabled: true,
    source,
    sources: [...policy.sources],
  }));

/** With the defaults of a group, as saving it would fill them in. */
export const viewDraft = (
  { userId }: Caller,
  { name, description, policies, pages, engine, notes }: DraftedGroup,
): WireGroup => ({
  group_uuid: null,
  name,
  description,
  threshold: 0.5,
  strictness_level: 'medium',
  is_template: false,
  owner_id: userId,
  version: null,
  created_at: null,
  updated_at: null,
  policies: policies.flatMap(viewPolicy),
  extraction: { engine, pages, notes: [...notes] },
});
