import { parse } from 'yaml';
import { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import { yamlProblem } from '#base/config/parse-yaml.ts';
import { invalid } from '#base/errors.ts';
import type { PolicySource } from '#engine/text/types.ts';

const File = z.object({
  policies: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().default(''),
        block_activities: z.array(z.string()).default([]),
        safe_activities: z.array(z.string()).default([]),
        enabled: z.boolean().default(true),
      }),
    )
    .min(1)
    .max(50),
});

/**
 * The enabled policies of a YAML file.
 * @throws AppError 422 that names the wrong field.
 */
export function readPolicies(yaml: string, path = 'The file of policies'): PolicySource[] {
  let document: unknown;
  try {
    document = parse(yaml);
  } catch (cause) {
    throw invalid(`${path} is not valid YAML: ${yamlProblem(cause)}`, cause);
  }
  const result = File.safeParse(document);
  if (!result.success)
    throw invalid(`${path}: ${describeIssues(result.error.issues, document, 'file of policies')}`);
  return result.data.policies
    .filter(({ enabled }) => enabled)
    .map(({ name, description, block_activities, safe_activities }) => ({
      name,
      description,
      blockActivities: block_activities,
      safeActivities: safe_activities,
    }));
}
