import type { Strictness } from '#engine/text/types.ts';
import type { Guard } from '../guards/guard.ts';
import type { JudgedGroup } from '../groups/judged-group.ts';

/** What a group is judged by in one guard. */
export interface Bar {
  readonly threshold: number;
  readonly strictnessLevel: Strictness;
}

export interface PolicyVerdict {
  readonly name: string;
  /** At the strictness of the bar, 0..1, with six decimals. */
  readonly probability: number;
  /** Always `probability >= threshold`. */
  readonly violated: boolean;
}

export interface GroupVerdict extends Bar {
  readonly groupUuid: string;
  readonly name: string;
  readonly flagged: boolean;
  readonly policies: readonly PolicyVerdict[];
  readonly reasoning: string | null;
}

/** What one guard says of one text. */
export interface Verdict {
  readonly guard: Guard;
  readonly flagged: boolean;
  /** One for each attached group, in the guard's order. */
  readonly groups: readonly GroupVerdict[];
  readonly latencyMs: number;
  /** Where the guard redacts: the whole text without what it takes out. */
  readonly redactedText?: string | undefined;
}

/** What judging finds and the cache keeps: the rest of a verdict follows from it and from the group. */
export interface Finding {
  /** In the order of the group's policies. */
  readonly probabilities: readonly number[];
  readonly reasoning: string | null;
}

export const noFinding: Finding = { probabilities: [], reasoning: null };

/** The group's own bar, or what the guard says instead. */
export function barOf(guard: Guard, group: JudgedGroup): Bar {
  const override = guard.policyGroupOverrides[group.groupUuid];
  return {
    threshold: override?.threshold ?? group.threshold,
    strictnessLevel: override?.strictnessLevel ?? group.strictnessLevel,
  };
}

export function groupVerdict(group: JudgedGroup, bar: Bar, finding: Finding): GroupVerdict {
  const policies = group.policies.map(({ name }, i) => {
    const probability = finding.probabilities[i] ?? 0;
    return { name, probability, violated: probability >= bar.threshold };
  });
  return {
    ...bar,
    groupUuid: group.groupUuid,
    name: group.name,
    flagged: policies.some(({ violated }) => violated),
    policies,
    reasoning: finding.reasoning,
  };
}
