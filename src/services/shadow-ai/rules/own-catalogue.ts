/** The operator's own rules and providers, merged over those that ship with the product. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { StartupError } from '#base/errors.ts';
import {
  mergeCatalogues,
  readCatalogue,
  severities,
  type Catalogue,
  type OwnCatalogue,
} from '#engine/shadow-ai/catalogue.ts';
import { createMatcher, type Matcher } from '#engine/shadow-ai/matcher.ts';

const limitBytes = 16 * 1024 * 1024;

const words = z.array(z.string().min(1).max(500)).max(1000);

const Match = z
  .strictObject({
    names: words,
    packages: words,
    package_prefixes: words,
    package_suffixes: words,
    modules: words,
    module_prefixes: words,
    images: words,
    extensions: words,
    paths: words,
    commands: words,
    other_commands: words,
    other_paths: words,
    installers: words,
    scripts: words,
    file_suffixes: words,
    written_files: words,
    hosts: words,
    host_suffixes: words,
    listen_ports: z.array(z.int().min(1).max(65_535)).max(100),
    files: words,
  })
  .partial();

const Example = z.strictObject({ image: z.string().max(4000), command_line: z.string().max(32_000) });

const labelled = {
  id: z.string().max(100),
  version: z.int().min(1).default(1),
  name: z.string().min(1).max(200),
  severity: z.enum(severities),
  mitre: words.default([]),
  atlas: words.default([]),
};

const Rule = z.strictObject({
  ...labelled,
  vendor: z.string().max(200).default(''),
  category: z.string().max(100),
  subcategory: z.string().max(100).default('own'),
  confidence: z.number().gt(0).max(1).default(0.9),
  weak_name: z.boolean().default(false),
  description: z.string().max(2000).default(''),
  tags: words.default([]),
  match: Match,
  autonomy_flags: words.optional(),
  prompt: z
    .strictObject({
      flags: words,
      subcommands: words,
      positional: z.boolean(),
      skip: z.int().min(0).max(10),
      boolean: words,
    })
    .partial()
    .optional(),
  examples: z
    .strictObject({
      match: z.array(Example).max(1000).default([]),
      no_match: z.array(Example).max(1000).default([]),
    })
    .default({ match: [], no_match: [] }),
});

const Provider = z.strictObject({
  ...labelled,
  kind: z.string().max(100).default('own'),
  confidence: z.number().gt(0).max(1).default(0.9),
  tags: words.optional(),
  api_domains: words.optional(),
  dst_domains: words.optional(),
  dns_hostname_suffixes: words.optional(),
  host_globs: words.optional(),
});

const Own = z.strictObject({
  rules: z.array(Rule).max(5000).default([]),
  providers: z.array(Provider).max(5000).default([]),
  remove: words.default([]),
});

/**
 * The catalogue with the operator's file merged over it: entries with an id of ours replace ours, others are added, and
 * those under `remove` are left out. The examples of the file's rules are tried.
 * @throws StartupError that names the file and the entry that is wrong
 */
export function openMatcher(file: string | undefined): Matcher {
  const shipped = readCatalogue();
  if (!file) return createMatcher(shipped);
  const fail = (what: string) => new StartupError(`The catalogue file ${file} is not valid: ${what}`);
  const own = readOwn(file, fail);
  let merged: Catalogue;
  try {
    merged = mergeCatalogues(shipped, own);
  } catch (error) {
    if (error instanceof RangeError) throw fail(error.message);
    throw error;
  }
  const matcher = createMatcher(merged);
  for (const { id, examples } of own.rules) {
    for (const { image, command_line: line } of examples.match) {
      const found = matcher.matchProcess(image, line)?.rule.id;
      if (found !== id)
        throw fail(`the example "${line}" of the rule ${id} is found by ${found ?? 'no rule'}.`);
    }
    for (const { image, command_line: line } of examples.no_match)
      if (matcher.matchProcess(image, line)?.rule.id === id)
        throw fail(`the rule ${id} finds "${line}", which its examples say it must not.`);
  }
  return matcher;
}

function readOwn(file: string, fail: (what: string) => StartupError): OwnCatalogue {
  let sent: unknown;
  try {
    if (statSync(file).size > limitBytes) throw fail('it is larger than 16 MiB.');
    sent = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw fail(error instanceof Error ? error.message : 'it cannot be read.');
  }
  const result = Own.safeParse(sent);
  if (!result.success) throw fail(z.prettifyError(result.error));
  return result.data as OwnCatalogue;
}
