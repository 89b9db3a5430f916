import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFORMATIONAL'] as const;
export type Severity = (typeof severities)[number];

/** By what a rule knows a process or a host. Names are compared whole and without case, never as parts of others. */
export interface RuleMatch {
  /** File names of the image. */
  readonly names?: readonly string[];
  /**
   * npm and PyPI packages, where a carrier such as npx, uvx or node runs or installs them; those of other registries with
   * `go:`, `brew:`, `winget:`, `choco:`, `scoop:`, `cargo:` or `snap:` before them.
   */
  readonly packages?: readonly string[];
  readonly package_prefixes?: readonly string[];
  readonly package_suffixes?: readonly string[];
  /** Modules of `python -m`, and what lies below them. */
  readonly modules?: readonly string[];
  readonly module_prefixes?: readonly string[];
  /** Container images, without their tag. */
  readonly images?: readonly string[];
  /** Editor extensions: their folder in the path of a program, or an installation of theirs. */
  readonly extensions?: readonly string[];
  /** Parts of the path of the image or of the script that a carrier runs; lower case, with `/`. */
  readonly paths?: readonly string[];
  /** A program and its first word, such as `goose session`. */
  readonly commands?: readonly string[];
  /** Commands of another program that has the same name, such as `copilot svc`. */
  readonly other_commands?: readonly string[];
  /** Parts of the path of another program that has the same name; lower case, with `/`. */
  readonly other_paths?: readonly string[];
  /** Where it is installed from: host and path. */
  readonly installers?: readonly string[];
  /** File names of scripts that an interpreter runs. */
  readonly scripts?: readonly string[];
  /** Ends of the image's file name. */
  readonly file_suffixes?: readonly string[];
  /** Ends of the path of a file that is written. */
  readonly written_files?: readonly string[];
  /** Hosts of its own; with a weak name, a connection there is the second signal. */
  readonly hosts?: readonly string[];
  readonly host_suffixes?: readonly string[];
  readonly listen_ports?: readonly number[];
  /** Files of its own, `~/` for any home folder. */
  readonly files?: readonly string[];
}

/** How an agent is given a prompt on its command line. */
export interface PromptGrammar {
  /** Flags whose value is the prompt. */
  readonly flags?: readonly string[];
  /** Words one of which must come first. */
  readonly subcommands?: readonly string[];
  /** Whether the first free argument is the prompt. */
  readonly positional?: boolean;
  /** Free arguments before it, such as the model of `ollama run`. */
  readonly skip?: number;
  /** Flags without a value; every other flag takes the next argument. */
  readonly boolean?: readonly string[];
}

export interface ProcessExample {
  readonly image: string;
  readonly command_line: string;
}

interface Labelled {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly severity: Severity;
  readonly mitre: readonly string[];
  readonly atlas: readonly string[];
}

export interface ToolRule extends Labelled {
  readonly vendor: string;
  readonly category: string;
  readonly subcategory: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Its names are those of other programs too: a name alone is no detection. */
  readonly weak_name: boolean;
  readonly description: string;
  readonly tags: readonly string[];
  readonly match: RuleMatch;
  /** Flags that let it act without asking. */
  readonly autonomy_flags?: readonly string[];
  readonly prompt?: PromptGrammar;
  readonly examples: {
    readonly match: readonly ProcessExample[];
    readonly no_match: readonly ProcessExample[];
  };
}

export interface Behaviour extends Labelled {
  readonly tag: string;
  readonly description: string;
}

export interface Provider extends Labelled {
  readonly kind: string;
  readonly confidence: number;
  readonly tags?: readonly string[];
  readonly api_domains?: readonly string[];
  readonly dst_domains?: readonly string[];
  readonly dns_hostname_suffixes?: readonly string[];
  /** Hosts with `*` for a label or for a part of one. */
  readonly host_globs?: readonly string[];
}

export interface Category {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly group: 'active' | 'upcoming';
}

export interface Lists {
  readonly carriers: readonly string[];
  readonly browsers: readonly string[];
  /** Programs that look names up or connect for others. */
  readonly resolvers: readonly string[];
  readonly sensitive_files: readonly string[];
  readonly shell_profiles: readonly string[];
  readonly autostart_paths: readonly string[];
  readonly agent_config_paths: readonly string[];
  readonly agent_config_noise: readonly string[];
  readonly suspicious_tlds: readonly string[];
  readonly source_suffixes: readonly string[];
  readonly shells: readonly string[];
  readonly compilers: readonly string[];
  readonly archivers: readonly string[];
  readonly downloaders: readonly string[];
}

export interface Catalogue {
  readonly version: string;
  readonly categories: readonly Category[];
  readonly rules: readonly ToolRule[];
  readonly behaviours: readonly Behaviour[];
  readonly providers: readonly Provider[];
  readonly lists: Lists;
}

const folder = join(import.meta.dirname, '../../../data/shadow-ai');
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;

/**
 * The catalogue that ships with the product.
 * @throws RangeError where its data is wrong, naming the entry.
 */
export function readCatalogue(): Catalogue {
  const { version, categories, rules } =
    read<Pick<Catalogue, 'version' | 'categories' | 'rules'>>('rules.json');
  const { behaviours } = read<Pick<Catalogue, 'behaviours'>>('behaviours.json');
  const { providers } = read<Pick<Catalogue, 'providers'>>('providers.json');
  const catalogue = { version, categories, rules, behaviours, providers, lists: read<Lists>('lists.json') };
  checkCatalogue(catalogue);
  return catalogue;
}

/** What an operator adds to the catalogue, replaces in it, or removes from it. */
export interface OwnCatalogue {
  readonly rules: readonly ToolRule[];
  readonly providers: readonly Provider[];
  /** Ids of entries to leave out. */
  readonly remove: readonly string[];
}

/**
 * An entry of `own` replaces that of the same id, or is added.
 * @throws RangeError that names the entry that is wrong, also one that is to be removed and does not exist
 */
export function mergeCatalogues(shipped: Catalogue, own: OwnCatalogue): Catalogue {
  const replaced = new Set([...own.rules, ...own.providers].map(({ id }) => id));
  const removed = new Set(own.remove);
  const all = [...shipped.rules, ...shipped.behaviours, ...shipped.providers];
  const known = new Set(all.map(({ id }) => id));
  for (const id of removed)
    if (!known.has(id)) throw new RangeError(`Catalogue entry ${id}: it cannot be removed, there is none`);
  const stays = ({ id }: { id: string }) => !replaced.has(id) && !removed.has(id);
  const catalogue = {
    ...shipped,
    version: `${shipped.version}+own`,
    rules: [...shipped.rules.filter(stays), ...own.rules],
    behaviours: shipped.behaviours.filter(stays),
    providers: [...shipped.providers.filter(stays), ...own.providers],
  };
  checkCatalogue(catalogue);
  return catalogue;
}

/** @throws RangeError that names the entry that is wrong. */
function checkCatalogue(catalogue: Catalogue): void {
  const { rules, behaviours, providers } = catalogue;
  const known = new Set<string>();
  const categories = new Set(catalogue.categories.map(({ id }) => id));
  for (const entry of [...rules, ...behaviours, ...providers]) {
    const wrong = (what: string) => new RangeError(`Catalogue entry ${entry.id}: ${what}`);
    if (!/^[a-z0-9][a-z0-9-]*$/.test(entry.id))
      throw wrong('the id must be lower case letters, digits and -');
    if (known.has(entry.id)) throw wrong('the id is there twice');
    known.add(entry.id);
    if (!severities.includes(entry.severity))
      throw wrong(`the severity ${String(entry.severity)} is unknown`);
    if ('confidence' in entry && !(entry.confidence > 0 && entry.confidence <= 1))
      throw wrong('the confidence must lie between 0 and 1');
    if ('category' in entry && !categories.has(entry.category)) throw wrong('its category is unknown');
  }
  for (const { id } of providers)
    if (!id.startsWith('ai-connect-'))
      throw new RangeError(`Catalogue entry ${id}: must begin with ai-connect-`);
}
