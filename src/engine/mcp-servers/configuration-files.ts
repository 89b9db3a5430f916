/** Files of MCP configurations, in JSON with comments and in TOML: their servers, and the line of each. */
import { parseTree, type Node } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parseConfiguration, serversIn } from './configurations.ts';

export interface ConfiguredServer {
  name: string;
  /** As it stands there. */
  given: unknown;
  line: number;
}

const isToml = (path: string) => path.endsWith('.toml');

const containers: ReadonlySet<string> = new Set(['mcpServers', 'servers', 'context_servers', 'mcp_servers']);
const deepest = 6;

/** The name that a server is given ({@link serversIn}): those of single projects are named after project and server. */
const shownName = (name: string, [first, project = '']: readonly string[]) =>
  first === 'projects' ? `${name} (${project})` : name;

interface Property {
  name: string;
  value: Node | undefined;
  offset: number;
}

const propertiesOf = (node: Node | undefined): Property[] =>
  node?.type === 'object'
    ? (node.children ?? []).map(({ offset, children: [key, value] = [] }) => ({
        name: String(key?.value),
        value,
        offset,
      }))
    : [];

/** Where each server stands in JSON. */
function jsonOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  const visit = (node: Node | undefined, above: readonly string[]) => {
    const isContainer = containers.has(above.at(-1) ?? '');
    for (const { name, value, offset } of above.length > deepest ? [] : propertiesOf(node)) {
      const shown = shownName(name, above);
      if (!isContainer) visit(value, [...above, name]);
      else if (!offsets.has(shown)) offsets.set(shown, offset);
    }
  };
  visit(parseTree(text, [], { allowTrailingComma: true }), []);
  return offsets;
}

const tomlTable = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))/gm;

/** Where each server stands in TOML: its own table, or the first one below it. */
function tomlOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  for (const found of text.matchAll(tomlTable)) {
    const name = found[1] ?? found[2] ?? found[3] ?? '';
    if (!offsets.has(name)) offsets.set(name, found.index);
  }
  return offsets;
}

/** What a file says as a value; undefined where it is not of its format. */
export function parseConfigurationFile(path: string, text: string): unknown {
  if (!isToml(path)) return parseConfiguration(text);
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

/** The servers of a file's value with their lines; undefined for what is no configuration. */
export function configuredServers(
  path: string,
  text: string,
  value: unknown,
): ConfiguredServer[] | undefined {
  const servers = serversIn(value);
  if (servers === undefined) return undefined;
  const offsets = isToml(path) ? tomlOffsets(text) : jsonOffsets(text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return Object.entries(servers).map(([name, given]) => ({
    name,
    given,
    line: lineAt(offsets.get(name) ?? 0),
  }));
}
