/** What a tool, prompt or resource says of itself, judged by the module that scans of MCP servers use. Pure. */
import { checkTexts, type DescriptionIssue } from '#engine/descriptions/check-tool.ts';
import { hiddenCharacters } from '#engine/descriptions/views.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';
import type { Kind } from '../../upstreams/catalog.ts';

export interface DefinitionVerdict {
  readonly flagged: boolean;
  readonly issues: readonly DescriptionIssue[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const describedKinds = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  templates: 'resource',
} as const;

/** Everything that an agent may read of the definition, unknown fields included. */
export function judgeDefinition(kind: Kind, definition: Fields): DefinitionVerdict {
  const { name, title, description, inputSchema, outputSchema, uri, uriTemplate, ...rest } = definition;
  const { flagged, issues } = checkTexts({
    name: [name, uri, uriTemplate].map(textOf).filter(Boolean).join(' '),
    kind: describedKinds[kind],
    title: typeof title === 'string' ? title : undefined,
    description: textOf(description),
    inputSchema,
    outputSchema,
    annotations: rest,
  });
  return { flagged, issues };
}

/** Nobody writes these by chance, and nobody sees them; those that join letters of scripts and emoji are kept. */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- exactly such characters are looked for.
  /[\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}\u200B\u2060-\u2064\uFEFF\u180E\u202A-\u202E\u2066-\u2069\u00AD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu;
/** Flags of regions are spelled with tag characters after a black flag. */
const flags = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,7}\u{E007F}/gu;
const identifiers = new Set(['name', 'uri', 'uriTemplate']);

const seen = (text: string): string => {
  const kept: string[] = [];
  const marked = text.replaceAll(flags, (flag) => {
    kept.push(flag);
    return `\uF8FF${kept.length - 1}\uF8FF`;
  });
  const clean = marked.replaceAll(unseen, '');
  return kept.length === 0
    ? clean
    : clean.replaceAll(/\uF8FF(\d+)\uF8FF/g, (_, at: string) => kept[Number(at)] ?? '');
};

function withoutUnseen(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'string') return identifiers.has(key) && depth === 1 ? value : seen(value);
  if (depth > 64) return value;
  if (Array.isArray(value)) return value.map((each) => withoutUnseen(each, key, depth + 1));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutUnseen(each, name, depth + 1)]),
  );
}

/**
 * The definition without characters that nobody sees; the same object if it has none. Names and addresses stay, since
 * clients send them back.
 */
export function legibleDefinition(definition: Fields): Fields {
  const { count } = hiddenCharacters(JSON.stringify(definition));
  const escaped = /\\u00[01][0-9a-f]|\u00AD|\u007F/i.test(JSON.stringify(definition));
  return count === 0 && !escaped ? definition : (withoutUnseen(definition, '', 0) as Fields);
}
