/** Groups, policies and guards as a file: names instead of ids, in one order, nothing that only the server decides. */
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import { yamlProblem } from '#base/config/parse-yaml.ts';
import { invalid } from '#base/errors.ts';

const name = z.string().min(1).max(255);
const strictness = z.enum(['low', 'medium', 'high']);

const Policy = z.strictObject({
  name,
  description: z.string().default(''),
  enabled: z.boolean().default(true),
  block_activities: z.array(z.string()).default([]),
  safe_activities: z.array(z.string()).default([]),
});

const Group = z.strictObject({
  name,
  description: z.string().default(''),
  threshold: z.number().min(0).max(1).default(0.5),
  strictness_level: strictness.default('medium'),
  is_template: z.boolean().default(false),
  policies: z.array(Policy).default([]),
});

/** A group of the file or of one's own by `group`, one that ships with the product or is shared by `template`. */
const Attached = z
  .strictObject({
    group: name.optional(),
    template: name.optional(),
    threshold: z.number().min(0).max(1).optional(),
    strictness_level: strictness.optional(),
  })
  .refine(({ group, template }) => (group === undefined) !== (template === undefined), {
    error: 'must have either group or template',
  });

const Guard = z.strictObject({
  name,
  description: z.string().nullable().default(null),
  enabled: z.boolean().default(true),
  policy_groups: z.array(Attached).default([]),
  /** As the service takes them; those that are not named stay as they are. */
  settings: z.record(z.string(), z.unknown()).default({}),
});

const Document = z.strictObject({
  bulwark_policies: z.literal(1),
  policy_groups: z.array(Group).default([]),
  guards: z.array(Guard).default([]),
});

export type PolicyDocument = z.output<typeof Document>;
export type GroupEntry = PolicyDocument['policy_groups'][number];
export type GuardEntry = PolicyDocument['guards'][number];

/** @throws AppError 422 that names the wrong field, or the name that is used twice. */
export function readDocument(yaml: string): PolicyDocument {
  let value: unknown;
  try {
    value = parse(yaml, { maxAliasCount: 100 });
  } catch (cause) {
    throw invalid(`The file is not valid YAML: ${yamlProblem(cause)}`, cause);
  }
  const result = Document.safeParse(value);
  if (!result.success) throw invalid(describeIssues(result.error.issues, value, 'file'));
  refuseDuplicateNames('policy_groups', result.data.policy_groups);
  refuseDuplicateNames('guards', result.data.guards);
  for (const group of result.data.policy_groups)
    refuseDuplicateNames(`policies of "${group.name}"`, group.policies);
  return result.data;
}

/** @throws AppError 422: names must be unique. */
export function refuseDuplicateNames(where: string, entries: readonly { name: string }[]): void {
  const names = new Set<string>();
  for (const entry of entries) {
    if (names.has(entry.name))
      throw invalid(
        `'${where}' has two named ${JSON.stringify(entry.name)}. Rename one: entries of the file are identified by name.`,
      );
    names.add(entry.name);
  }
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : Number(a.name > b.name));

/** Without fields that have their default, which reading fills in again. */
const brief = (entry: object, defaults: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );

const defaultsOf = (schema: typeof Policy | typeof Group | typeof Guard) => {
  const { name: _, ...defaults } = schema.parse({ name: '-' });
  return defaults;
};

/** The file of a state: the same state gives the same bytes. Groups and guards go by name, policies keep their order. */
export function writeDocument({ policy_groups: groups, guards }: PolicyDocument): string {
  const document = {
    bulwark_policies: 1,
    policy_groups: groups.toSorted(byName).map((group) => ({
      ...brief(group, { ...defaultsOf(Group), policies: undefined }),
      policies: group.policies.map((policy) => brief(policy, defaultsOf(Policy))),
    })),
    guards: guards.toSorted(byName).map((guard) => brief(guard, defaultsOf(Guard))),
  };
  return stringify(document, { lineWidth: 100, aliasDuplicateObjects: false });
}
