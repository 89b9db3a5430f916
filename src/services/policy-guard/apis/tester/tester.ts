import { notFound } from '#base/errors.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage, Evidence, TextKind } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import { type Best, strongestSlices } from '../../judging/embedded/judge.ts';
import {
  groupVerdict,
  noFinding,
  type Sensitivity,
  type GroupVerdict,
} from '../../judging/verdicts/verdict.ts';
import type { Judging } from '../../judging/judges/judging.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';

/** Characters of the text that carried the verdict of a policy. */
export interface Span extends Evidence {
  readonly policy: string;
}

export interface TestedText {
  readonly verdict: GroupVerdict;
  /** Of the violated policies, in their order; the strongest of each first. */
  readonly spans: readonly Span[];
}

export interface TesterDeps {
  readonly engine: TextEngine;
  readonly judging: Judging;
  readonly groups: Pick<PolicyGroups, 'attachable' | 'judgedGroups'>;
}

export type TestGroup = ReturnType<typeof createTestGroup>;

/** Trying a text on one group. */
export const createTestGroup =
  ({ engine, judging, groups }: TesterDeps) =>
  /** @throws AppError 404 for a group that the caller may not read. */
  async (
    caller: Caller,
    groupUuid: string,
    input: {
      text: string;
      messages: readonly ContextMessage[];
      kind: TextKind | undefined;
      sensitivity?: Partial<Sensitivity>;
    },
  ): Promise<TestedText> => {
    const readable = await groups.attachable(caller, [groupUuid]);
    const [group] = readable.size === 0 ? [] : await groups.judgedGroups(caller.tenantId, [groupUuid]);
    if (group === undefined) throw notFound('The policy group');
    const sensitivity = {
      threshold: group.threshold,
      strictnessLevel: group.strictnessLevel,
      ...input.sensitivity,
    };
    const set = { policies: group.policies, sensitivity };
    const asDeployed = { tenantId: caller.tenantId, engine: null, failMode: null, mayCache: false };
    const [finding = noFinding] = await judging.judge({ ...input, ...asDeployed }, [set]);
    const [best = []] = await strongestSlices(engine, input, [set]);
    const verdict = groupVerdict(group, sensitivity, finding);
    const spans = verdict.policies.flatMap(({ name, violated }, i) => {
      const found = best[i];
      return violated && found !== undefined ? spansOf(name, found) : [];
    });
    return { verdict, spans };
  };

const spansOf = (policy: string, { score, offset }: Best): Span[] =>
  score.evidence.map((evidence) => ({
    ...evidence,
    policy,
    start: evidence.start + offset,
    end: evidence.end + offset,
  }));
