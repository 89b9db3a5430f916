/** The embedded engine's verdict on one window, and on all windows of a text together. */
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage, TextKind } from '#engine/text/types.ts';
import { judge } from '../../judging/embedded/judge.ts';
import { sensitivityOf, type GroupVerdict, groupVerdict, noFinding } from '../../judging/verdicts/verdict.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';

const unreachable = { threshold: 1, strictnessLevel: 'medium' } as const;

/** The judge of each window. */
export interface WindowJudge {
  readonly engine: TextEngine;
  readonly guard: Guard;
  readonly groups: readonly JudgedGroup[];
  /** Earlier turns, for the text's first window only: later windows have the preceding text as context. */
  readonly messages: readonly ContextMessage[];
  readonly kind: TextKind | undefined;
  /** The guard has another judge, which is not used for windows. */
  readonly isDegraded: boolean;
}

/** A verdict for each group of the guard. */
export async function windowVerdicts(
  { engine, guard, groups, messages, kind, isDegraded }: WindowJudge,
  text: string,
  isBeginning: boolean,
): Promise<GroupVerdict[]> {
  const sensitivities = groups.map((group) => sensitivityOf(guard, group));
  const sets = groups.map(({ policies }, i) => ({ policies, sensitivity: sensitivities[i] ?? unreachable }));
  const findings = await judge(engine, { text, messages: isBeginning ? messages : [], kind }, sets);
  return groups.map((group, i) =>
    groupVerdict(group, sensitivities[i] ?? unreachable, { ...(findings[i] ?? noFinding), isDegraded }),
  );
}

/** Each policy as the window shows it that is the worst for it; reasons are those of the first flagged window. */
export function strongest(
  before: readonly GroupVerdict[] | undefined,
  now: readonly GroupVerdict[],
): readonly GroupVerdict[] {
  if (before === undefined) return now;
  return now.map((group, i) => {
    const earlier = before[i];
    if (earlier === undefined) return group;
    const policies = group.policies.map((policy, j) => {
      const other = earlier.policies[j];
      return other !== undefined && other.probability > policy.probability ? other : policy;
    });
    return {
      ...group,
      policies,
      flagged: earlier.flagged || group.flagged,
      reasoning: earlier.reasoning ?? group.reasoning,
    };
  });
}
