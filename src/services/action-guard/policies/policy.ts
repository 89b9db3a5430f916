/** What a policy is, and what becomes of its rules. No database, no wire. */
import { newId } from '#base/ids.ts';
import type { ActionEngine, CompiledRule, RuleSource, Severity } from '#engine/actions/types.ts';
import type { Visibility } from '#identity/sharing.ts';

export interface Rule {
  readonly key: string;
  readonly ruleId: string;
  readonly description: string;
  readonly severity: Severity;
  /** The sentence that it was taken from. */
  readonly source?: string | undefined;
  readonly compiled: CompiledRule;
}

export interface Policy {
  readonly policyId: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly rules: readonly Rule[];
  /** Null for a preset, which everybody reads. */
  readonly ownerId: string | null;
  readonly visibility: Visibility;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PolicyFields {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly visibility: Visibility;
  readonly rules: ReadonlyMap<string, RuleFields>;
}

export interface RuleFields extends RuleSource {
  readonly source?: string | undefined;
}

export const defaultCategory = 'User Rules';

export const isPreset = ({ ownerId }: Pick<Policy, 'ownerId'>): boolean => ownerId === null;

type Compiler = Pick<ActionEngine, 'compile' | 'version'>;

/** Rules as they are sent, compiled; one whose key the policy has already keeps its id. */
export function readyRules(
  sent: ReadonlyMap<string, RuleFields>,
  before: readonly Rule[],
  engine: Compiler,
): Rule[] {
  const known = new Map(before.map((rule) => [rule.key, rule]));
  return [...sent].map(([key, fields]) => {
    const old = known.get(key);
    const same = old?.description === fields.description && old.severity === fields.severity;
    return {
      key,
      ruleId: old?.ruleId ?? newId('rul'),
      description: fields.description,
      severity: fields.severity,
      source: fields.source,
      compiled: same && old.compiled.engineVersion === engine.version ? old.compiled : engine.compile(fields),
    };
  });
}

/** Rules as they are stored; what another version of the engine compiled is compiled again. */
export const upToDate = (rules: readonly Rule[], engine: Compiler): Rule[] =>
  rules.map((rule) =>
    rule.compiled.engineVersion === engine.version ? rule : { ...rule, compiled: engine.compile(rule) },
  );
