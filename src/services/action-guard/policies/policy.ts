/** What a policy is, and what becomes of its rules. No database, no wire. */
import { newId } from '#base/ids.ts';
import type { ActionEngine, CompiledRule, RuleSource, Severity } from '#engine/actions/types.ts';
import { compileForm } from '#engine/rules/compile-form.ts';
import type { RuleForm } from '#engine/rules/rule-form.ts';
import type { Caller } from '#identity/caller.ts';

export interface Rule {
  readonly key: string;
  readonly ruleId: string;
  readonly description: string;
  readonly severity: Severity;
  /** The sentence that it was taken from. */
  readonly source?: string | undefined;
  /** The rule as a value, where it was given so: it judges, and no upgrade reads it anew. */
  readonly form?: RuleForm | undefined;
  readonly compiled: CompiledRule;
}

export interface Policy {
  readonly policyId: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly rules: readonly Rule[];
  /** Null for a preset. */
  readonly ownerId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PolicyFields {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly rules: ReadonlyMap<string, RuleFields>;
}

export interface RuleFields extends RuleSource {
  readonly source?: string | undefined;
  readonly form?: RuleForm | undefined;
}

export const defaultCategory = 'User Rules';

/** Whose policies and sets somebody may see and change: their own, or as an administrator the tenant's. */
export interface Viewer {
  readonly tenantId: string;
  readonly userId: string;
  readonly all: boolean;
}

export const viewerOf = ({ tenantId, userId, roles }: Caller): Viewer => ({
  tenantId,
  userId,
  all: roles.includes('admin'),
});

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
    return {
      key,
      ruleId: old?.ruleId ?? newId('rul'),
      description: fields.description,
      severity: fields.severity,
      source: fields.source,
      ...(fields.form !== undefined && { form: fields.form }),
      compiled: compiledFrom(fields, old, engine),
    };
  });
}

function compiledFrom(fields: RuleFields, old: Rule | undefined, engine: Compiler): CompiledRule {
  if (fields.form !== undefined) return compileForm(fields.form, engine.version);
  const same =
    old?.form === undefined && old?.description === fields.description && old.severity === fields.severity;
  return same && old.compiled.engineVersion === engine.version ? old.compiled : engine.compile(fields);
}

/** Rules as they are stored; what another version of the engine compiled is compiled again. */
export const upToDate = (rules: readonly Rule[], engine: Compiler): Rule[] =>
  rules.map((rule) =>
    rule.form !== undefined || rule.compiled.engineVersion === engine.version
      ? rule
      : { ...rule, compiled: engine.compile(rule) },
  );
