import type { DetectorSlug, Strictness } from '#engine/text/types.ts';
import type { Engine } from '../../guards/engines.ts';
import type { Guard, Outcome } from '../../guards/guard.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';

/** Threshold and strictness of a group in one guard. */
export interface Sensitivity {
  readonly threshold: number;
  readonly strictnessLevel: Strictness;
}

export interface PolicyVerdict {
  readonly name: string;
  /** Set for the built-in policies and their copies. */
  readonly detector: DetectorSlug | undefined;
  /** At the group's strictness, 0..1, with six decimals. */
  readonly probability: number;
  /** Always `probability >= threshold`. */
  readonly violated: boolean;
  /** Who decided. */
  readonly engine: Engine;
}

export interface GroupVerdict extends Sensitivity {
  readonly groupUuid: string;
  readonly name: string;
  readonly flagged: boolean;
  readonly policies: readonly PolicyVerdict[];
  /** A judge failed, and the embedded engine or the fail mode decided instead. */
  readonly isDegraded: boolean;
  readonly reasoning: string | null;
}

/** The verdict of one guard on one text. */
export interface Verdict {
  readonly guard: Guard;
  readonly flagged: boolean;
  /** One for each attached group, in the guard's order; without policies if nothing is disclosed to the caller. */
  readonly groups: readonly GroupVerdict[];
  readonly outcome: Outcome;
  /** The results of all groups, disclosed or not; empty for a text that was not judged. */
  readonly found: readonly GroupVerdict[];
  /** The entry of the guard's allow-list that let the text pass. */
  readonly allowedBy: string | null;
  readonly latencyMs: number;
  /** Where the guard redacts: the whole text without what it takes out. */
  readonly redactedText?: string | undefined;
}

/** The caller, if the API provides it. */
export interface Asked {
  /** The operation, such as `topic_guard`. */
  readonly door: string;
  readonly userId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Stops the work on a text if its caller has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

/** The cached result of judging: the rest of a verdict follows from it and from the group. */
export interface Finding {
  /** In the order of the group's policies. */
  readonly probabilities: readonly number[];
  readonly engines: readonly Engine[];
  /** A judge failed; such a finding is not cached. */
  readonly isDegraded: boolean;
  readonly reasoning: string | null;
}

export const noFinding: Finding = { probabilities: [], engines: [], isDegraded: false, reasoning: null };

/** The group's own sensitivity, or the guard's override. */
export function sensitivityOf(guard: Guard, group: JudgedGroup): Sensitivity {
  const override = guard.policyGroupOverrides[group.groupUuid];
  return {
    threshold: override?.threshold ?? group.threshold,
    strictnessLevel: override?.strictnessLevel ?? group.strictnessLevel,
  };
}

export function groupVerdict(group: JudgedGroup, sensitivity: Sensitivity, finding: Finding): GroupVerdict {
  const policies = group.policies.map(({ name, compiled }, i) => {
    const probability = finding.probabilities[i] ?? 0;
    const engine = finding.engines[i] ?? 'embedded';
    const { detector } = compiled;
    return { name, detector, probability, violated: probability >= sensitivity.threshold, engine };
  });
  return {
    ...sensitivity,
    groupUuid: group.groupUuid,
    name: group.name,
    flagged: policies.some(({ violated }) => violated),
    policies,
    isDegraded: finding.isDegraded,
    reasoning: finding.reasoning,
  };
}
