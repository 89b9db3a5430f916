/** Preset policies that ship with the product, from `data/templates/actions`. They are not stored in the database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseYaml } from '#base/config/parse-yaml.ts';
import { StartupError } from '#base/errors.ts';
import { readCanonical } from '#engine/rules/canonical.ts';
import { maxRuleCharacters } from '../contract/policies.ts';
import { Severity } from '../contract/severity.ts';
import type { Policy } from '../policies/policy.ts';
import { presetRule } from '../rules/rule.ts';

export interface Templates {
  readonly all: readonly Policy[];
  /** Presets of the built-in set, which applies by default. */
  readonly byDefault: readonly Policy[];
  find(policyId: string): Policy | undefined;
}

const slug = z.string().regex(/^[a-z0-9]+(_[a-z0-9]+)*$/);
const text = z.string().trim().min(1);

const TemplateFile = z.strictObject({
  slug,
  name: text.max(255),
  description: text,
  category: text.max(255),
  /** Part of the built-in set. */
  default: z.boolean(),
  created_at: z.iso.datetime().transform((time) => new Date(time)),
  rules: z.record(
    slug,
    z.strictObject({
      description: text.max(maxRuleCharacters),
      severity: Severity,
      /** What is enforced, where reading the description would give something else. */
      canonical: text
        .refine((sentence) => readCanonical(sentence) !== undefined, { error: 'is no canonical sentence' })
        .optional(),
    }),
  ),
});

const defaultFolder = join(import.meta.dirname, '../../../../data/templates/actions');

/**
 * Compiles each rule once.
 * @throws StartupError if a file of the folder is invalid
 */
export function readTemplates(folder = defaultFolder): Templates {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const read = files.sort().map((name) => readTemplate(join(folder, name)));
  const all = read.map(({ policy }) => policy);
  const byId = new Map(all.map((policy) => [policy.policyId, policy]));
  return {
    all,
    byDefault: read.filter((each) => each.byDefault).map(({ policy }) => policy),
    find: (policyId) => byId.get(policyId),
  };
}

function readTemplate(path: string): { policy: Policy; byDefault: boolean } {
  const parsed = TemplateFile.safeParse(parseYaml(readFileSync(path, 'utf8'), path));
  if (!parsed.success)
    throw new StartupError(`The template ${path} is not valid: ${z.prettifyError(parsed.error)}`);
  const file = parsed.data;
  const policy = {
    policyId: `pol_preset_${file.slug}`,
    name: file.name,
    description: file.description,
    category: file.category,
    rules: Object.entries(file.rules).map(([key, rule]) =>
      presetRule({ key, ruleId: `rul_preset_${file.slug}_${key}`, ...rule }),
    ),
    ownerId: null,
    visibility: 'tenant' as const,
    createdAt: file.created_at,
    updatedAt: file.created_at,
  };
  return { policy, byDefault: file.default };
}
