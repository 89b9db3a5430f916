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

/** Where each server stands in JSON, by the name that it is given ({@link serversIn}). */
function jsonOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  const visit = (node: Node | undefined, above: readonly string[]) => {
    if (node?.type !== 'object' || above.length > deepest) return;
    for (const { offset, children: [key, value] = [] } of node.children ?? []) {
      const name = String(key?.value);
      const last = above.at(-1) ?? '';
      if (containers.has(last)) {
        const [first, project] = above;
        const shown = first === 'projects' ? `${name} (${project ?? ''})` : name;
        if (!offsets.has(shown)) offsets.set(shown, offset);
      } else visit(value, [...above, name]);
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
