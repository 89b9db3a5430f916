/** The policy groups that ship with the product, from `data/templates`. They are never stored in the database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseYaml } from '#base/config/parse-yaml.ts';
import { StartupError } from '#base/errors.ts';
import { detectorSlugs } from '#engine/text/types.ts';
import { maxPolicies } from '../../contract/policies.ts';
import type { PolicyGroup } from '../policies/policy-group.ts';

export interface ShippedTemplates {
  /** The built-in group first. */
  readonly all: readonly PolicyGroup[];
  find(groupUuid: string): PolicyGroup | undefined;
}

const text = z.string().trim().min(1);

const TemplateFile = z.strictObject({
  group_uuid: z.uuid(),
  /** Raised whenever something below it changes, since verdicts are cached by it. */
  version: z.int().min(1),
  created_at: z.iso.datetime().transform((time) => new Date(time)),
  name: text.max(255),
  description: text,
  threshold: z.number().min(0).max(1).default(0.5),
  strictness_level: z.enum(['low', 'medium', 'high']).default('medium'),
  policies: z
    .array(
      z.strictObject({
        _id: z.string().regex(/^[a-z0-9-]+$/),
        name: text.max(255),
        description: text,
        block_activities: z.array(text.max(1000)).min(1),
        safe_activities: z.array(text.max(1000)).min(1),
        detector: z.enum(detectorSlugs).optional(),
      }),
    )
    .min(1)
    .max(maxPolicies),
});

/** The group of the nine built-in detectors; its id is the same everywhere. */
export const builtInGroupUuid = '00000000-0000-4000-8000-000000000009';

const defaultFolder = join(import.meta.dirname, '../../../../../data/templates');

/** @throws StartupError when a file of the folder is not as it must be. */
export function readShippedTemplates(folder = defaultFolder): ShippedTemplates {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const groups = files.sort().map((name) => readTemplate(join(folder, name)));
  const all = groups.sort((a, b) => a.groupUuid.localeCompare(b.groupUuid));
  const byUuid = new Map(all.map((group) => [group.groupUuid, group]));
  return { all, find: (groupUuid) => byUuid.get(groupUuid.toLowerCase()) };
}

function readTemplate(path: string): PolicyGroup {
  const parsed = TemplateFile.safeParse(parseYaml(readFileSync(path, 'utf8'), path));
  if (!parsed.success)
    throw new StartupError(`The template ${path} is not valid: ${z.prettifyError(parsed.error)}`);
  const file = parsed.data;
  return {
    groupUuid: file.group_uuid,
    tenantId: null,
    ownerId: null,
    visibility: 'tenant',
    name: file.name,
    description: file.description,
    threshold: file.threshold,
    strictnessLevel: file.strictness_level,
    isTemplate: true,
    version: file.version,
    createdAt: file.created_at,
    updatedAt: file.created_at,
    policies: file.policies.map((policy) => ({
      id: policy._id,
      name: policy.name,
      description: policy.description,
      blockActivities: policy.block_activities,
      safeActivities: policy.safe_activities,
      enabled: true,
      ...(policy.detector && { detector: policy.detector }),
    })),
  };
}
