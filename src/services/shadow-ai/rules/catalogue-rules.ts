import type { Catalogue, Provider, Severity, ToolRule } from '#engine/shadow-ai/catalogue.ts';

/** A rule as tenants see it, of whichever kind. */
export interface CatalogueRule {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly severity: Severity;
  readonly confidence: number;
  readonly category: string;
  readonly subcategory?: string;
  readonly description: string;
  readonly names: readonly string[];
  /** What is looked for in command lines and paths, each with its kind before it. */
  readonly patterns: readonly string[];
  readonly hosts: readonly string[];
  readonly suffixes: readonly string[];
  readonly apiHosts: readonly string[];
  readonly tags: readonly string[];
  readonly techniques: readonly string[];
}

const labels = {
  packages: 'package',
  package_prefixes: 'package-begins-with',
  package_suffixes: 'package-ends-with',
  modules: 'module',
  module_prefixes: 'module-begins-with',
  images: 'image',
  extensions: 'extension',
  paths: 'path',
  commands: 'command',
  installers: 'installer',
  scripts: 'script',
  file_suffixes: 'file-ends-with',
  written_files: 'writes-file-ending-with',
} as const;

const patternsOf = ({ match }: ToolRule): string[] =>
  (Object.keys(labels) as (keyof typeof labels)[]).flatMap((kind) =>
    (match[kind] ?? []).map((text) => `${labels[kind]}:${text}`),
  );

const ofTool = (rule: ToolRule): CatalogueRule => ({
  id: rule.id,
  name: rule.name,
  version: rule.version,
  severity: rule.severity,
  confidence: rule.confidence,
  category: rule.category,
  subcategory: rule.subcategory,
  description: rule.description,
  names: rule.match.names ?? [],
  patterns: patternsOf(rule),
  hosts: rule.match.hosts ?? [],
  suffixes: rule.match.host_suffixes ?? [],
  apiHosts: [],
  tags: rule.weak_name ? [...rule.tags, 'weak-name'] : rule.tags,
  techniques: [...rule.mitre, ...rule.atlas],
});

const ofProvider = (provider: Provider): CatalogueRule => ({
  id: provider.id,
  name: provider.name,
  version: provider.version,
  severity: provider.severity,
  confidence: provider.confidence,
  category: 'AI_CONNECT',
  subcategory: provider.kind,
  description: `A program that is no browser connects to ${provider.name}.`,
  names: [],
  patterns: [],
  hosts: provider.dst_domains ?? [],
  suffixes: provider.dns_hostname_suffixes ?? [],
  apiHosts: [...(provider.api_domains ?? []), ...(provider.host_globs ?? [])],
  tags: provider.tags ?? [],
  techniques: [...provider.mitre, ...provider.atlas],
});

/** All rules of the catalogue: tools, behaviours, providers. */
export const catalogueRules = ({ rules, behaviours, providers }: Catalogue): CatalogueRule[] => [
  ...rules.map(ofTool),
  ...behaviours.map((behaviour) => ({
    id: behaviour.id,
    name: behaviour.name,
    version: behaviour.version,
    severity: behaviour.severity,
    confidence: 0.7,
    category: 'BEHAVIOR',
    description: behaviour.description,
    names: [],
    patterns: [],
    hosts: [],
    suffixes: [],
    apiHosts: [],
    tags: [behaviour.tag],
    techniques: [...behaviour.mitre, ...behaviour.atlas],
  })),
  ...providers.map(ofProvider),
];
