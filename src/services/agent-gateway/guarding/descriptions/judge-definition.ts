/** What a tool, prompt or resource says of itself, judged by the module that scans of MCP servers use. Pure. */
import { checkTexts, type DescriptionIssue } from '#engine/descriptions/check-tool.ts';
import { hiddenCharacters } from '#engine/descriptions/views.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';
import type { Kind } from '../../upstreams/catalog.ts';
import { seenInDefinition } from '../unseen.ts';
import { nameIssues } from './deceptive-names.ts';

export interface DefinitionVerdict {
  readonly flagged: boolean;
  readonly issues: readonly DescriptionIssue[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is described: offers, and the server itself. */
export type DescribedKind = Kind | 'instructions';

const describedKinds = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  templates: 'resource',
  instructions: 'instructions',
} as const;

/** Everything that an agent may read of the definition, unknown fields included. */
export function judgeDefinition(kind: DescribedKind, definition: Fields): DefinitionVerdict {
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
  const ofNames = nameIssues(definition);
  return { flagged: flagged || ofNames.length > 0, issues: [...ofNames, ...issues] };
}

const identifiers = new Set(['name', 'uri', 'uriTemplate']);

function withoutUnseen(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'string') return identifiers.has(key) && depth === 1 ? value : seenInDefinition(value);
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
