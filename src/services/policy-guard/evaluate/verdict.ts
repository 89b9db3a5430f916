import type { Strictness } from '#engine/text/types.ts';
import type { Engine } from '../judge/engines.ts';
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
  /** Who decided. */
  readonly engine: Engine;
}

export interface GroupVerdict extends Bar {
  readonly groupUuid: string;
  readonly name: string;
  readonly flagged: boolean;
  readonly policies: readonly PolicyVerdict[];
  /** A judge failed, and the embedded engine or the fail mode stood in for it. */
  readonly isDegraded: boolean;
  readonly reasoning: string | null;
}

/** What one guard says of one text. */
export interface Verdict {
  readonly guard: Guard;
  readonly flagged: boolean;
  /** One for each attached group, in the guard's order. */
  readonly groups: readonly GroupVerdict[];
  readonly latencyMs: number;
}

/** What judging finds and the cache keeps: the rest of a verdict follows from it and from the group. */
export interface Finding {
  /** In the order of the group's policies. */
  readonly probabilities: readonly number[];
  readonly engines: readonly Engine[];
  /** A judge failed; such a finding is not kept. */
  readonly isDegraded: boolean;
  readonly reasoning: string | null;
}

export const noFinding: Finding = { probabilities: [], engines: [], isDegraded: false, reasoning: null };

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
    const engine = finding.engines[i] ?? 'embedded';
    return { name, probability, violated: probability >= bar.threshold, engine };
  });
  return {
    ...bar,
    groupUuid: group.groupUuid,
    name: group.name,
    flagged: policies.some(({ violated }) => violated),
    policies,
    isDegraded: finding.isDegraded,
    reasoning: finding.reasoning,
  };
}
