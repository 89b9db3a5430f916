import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import { atStrictness, strongestSlices, type PolicySet } from '../../judging/embedded/judge.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import type { PolicyFields, PolicyGroup } from '../../library/policies/policy-group.ts';

export interface DraftDeps {
  readonly engine: TextEngine;
  readonly groups: Pick<PolicyGroups, 'own' | 'judgedGroups'>;
}

/** A policy that can judge. */
export type ReadyPolicy = PolicySet['policies'][number];

/** A policy as it would be if it were saved. */
export interface Draft {
  readonly group: PolicyGroup;
  /** As it is saved; undefined if it is new or off. */
  readonly saved: ReadyPolicy | undefined;
  readonly policy: ReadyPolicy;
  readonly enabled: boolean;
  /** The same with other activities. */
  readonly withFields: (changes: Partial<PolicyFields>) => ReadyPolicy;
}

export type SentDraft = PolicyFields & { readonly id?: string | undefined };

/** @throws AppError 404 and 403 as `groups.own` does. */
export async function readDraft(
  { engine, groups }: DraftDeps,
  caller: Caller,
  groupUuid: string,
  { id, ...fields }: SentDraft,
): Promise<Draft> {
  const group = await groups.own(caller, groupUuid);
  const known = group.policies.find((policy) => policy.id === id?.toLowerCase());
  const [judged] = await groups.judgedGroups(caller.tenantId, [group.groupUuid]);
  const saved = judged?.policies.find((policy) => policy.id === known?.id);
  // What a policy has learned stays with it when its text changes.
  const head = saved?.compiled.head;
  const withFields = (changes: Partial<PolicyFields>): ReadyPolicy => {
    const source = { ...fields, ...changes, detector: known?.detector };
    const compiled = engine.compile(source);
    return { name: source.name, source, compiled: head === undefined ? compiled : { ...compiled, head } };
  };
  return { group, saved, policy: withFields({}), enabled: fields.enabled, withFields };
}

/** The probability of each policy at the sensitivity. */
export async function probabilitiesOf(
  engine: TextEngine,
  { text, signal }: { text: string; signal?: AbortSignal | undefined },
  policies: readonly ReadyPolicy[],
  sensitivity: Sensitivity,
): Promise<number[]> {
  const [best = []] = await strongestSlices(engine, { text, messages: [], signal }, [
    { policies, sensitivity },
  ]);
  return best.map(({ score }) => atStrictness(score.probability, sensitivity));
}
