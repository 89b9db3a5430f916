import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { describeIssues } from '#base/contract/issues.ts';
import { yamlProblem } from '#base/config/parse-yaml.ts';
import { invalid } from '#base/errors.ts';
import type { RuleSource } from '#engine/actions/types.ts';

const RuleFile = z.object({
  /** Of a shipped template: whether it is part of the built-in set. */
  default: z.boolean().default(true),
  rules: z.record(
    z.string(),
    z.object({
      description: z.string().min(1),
      severity: z.enum(['High', 'Medium', 'Low']).default('Medium'),
    }),
  ),
});

/** The rules to measure, with a hash of the files that they stand in. */
export interface RuleSources {
  rules: RuleSource[];
  sha256: string;
}

const shipped = join(import.meta.dirname, '../../../../data/templates/actions');

function filesOf(path: string): string[] {
  if (!existsSync(path)) throw invalid(`There is no file or folder ${path} of rules.`);
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.(ya?ml|json)$/.test(name));
  if (names.length === 0) throw invalid(`${path} holds no .yaml or .json file of rules.`);
  return names.sort().map((name) => join(path, name));
}

function rulesIn(path: string, text: string): RuleSource[] {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    throw invalid(`${path} is not valid YAML: ${yamlProblem(cause)}`, cause);
  }
  const file = RuleFile.safeParse(document);
  if (!file.success) throw invalid(describeIssues(file.error.issues, document, path));
  return file.data.default ? Object.values(file.data.rules) : [];
}

/**
 * The rules of a policy as `{rules: {key: {description, severity}}}` in YAML or JSON, or of a folder of them; without a
 * path those of the built-in set `agp_default`.
 * @throws AppError 422 that names the file and the wrong field.
 */
export function readRules(path = shipped): RuleSources {
  const hash = createHash('sha256');
  const rules = filesOf(path).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    hash.update(text);
    return rulesIn(file, text);
  });
  if (rules.length === 0) throw invalid(`${path} holds no rule.`);
  return { rules, sha256: hash.digest('hex') };
}
