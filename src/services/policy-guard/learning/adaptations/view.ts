import { threeDecimals } from '#base/three-decimals.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { adaptationOperations } from '../../contract/adaptations.ts';
import type { Adaptation, LabelledPolicy, Measures } from './adaptation.ts';
import type { NewAdaptation } from './adaptations.ts';

type Operations = typeof adaptationOperations;

export const newAdaptationFromWire = (
  wire: Checked<Operations['createAdaptation']>['body'],
): NewAdaptation => ({
  examples: wire.examples.map(({ text, policy, policy_group_uuid: groupUuid, label }) => ({
    text,
    policy,
    groupUuid,
    violates: label,
  })),
  extend: wire.extend,
  includeLabels: wire.include_labels,
  activate: wire.activate,
});

const measuresToWire = ({ f1, recall, falsePositiveRate, auroc }: Measures) => ({
  f1: threeDecimals(f1),
  recall: threeDecimals(recall),
  false_positive_rate: threeDecimals(falsePositiveRate),
  auroc: threeDecimals(auroc),
});

type Names = ReadonlyMap<string, string>;

export const adaptationToWire = (
  { adaptationId, version, policies, active, createdAt }: Adaptation,
  groupNames: Names,
): Answer<Operations['createAdaptation']> => ({
  adaptation_id: adaptationId,
  version,
  policies: policies.map(({ name, groupUuid, exampleCount, before, after }) => ({
    policy: name,
    policy_group_uuid: groupUuid,
    policy_group_name: groupNames.get(groupUuid) ?? null,
    examples: exampleCount,
    before: measuresToWire(before),
    after: after && measuresToWire(after),
  })),
  active,
  created_at: toIsoTime(createdAt),
});

export const detailToWire = (
  adaptation: Adaptation,
  labelled: readonly LabelledPolicy[],
  groupNames: Names,
): Answer<Operations['getAdaptation']> => ({
  ...adaptationToWire(adaptation, groupNames),
  examples: labelled.flatMap(({ name, groupUuid, examples }) =>
    examples.map(({ text, violates }) => ({
      text,
      policy: name,
      policy_group_uuid: groupUuid,
      label: violates,
    })),
  ),
});
