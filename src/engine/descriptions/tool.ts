/** Something that an MCP server offers, as far as agents read it. */
export interface DescribedTool {
  name: string;
  kind: 'tool' | 'resource' | 'prompt' | 'instructions';
  title?: string | undefined;
  description: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

/** One text of a tool's definition that reaches the agent. */
export interface ToolText {
  /** Where it stands, such as `description` or `input_schema.properties.path.description`. */
  field: string;
  text: string;
}

const mostTexts = 500;
/** Characters of one definition that are read; ten times the longest that public servers have. */
const mostCharacters = 150_000;
const longestText = 20_000;
const deepest = 24;

/** Of longer texts the first and the last part: an order may stand at either end. */
function endsOf(text: string): string {
  const half = longestText / 2;
  return text.length <= longestText ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}
/** Keywords of JSON Schema whose strings are names of types and forms, no words. */
const formKeys = new Set([
  'type',
  'format',
  'pattern',
  '$ref',
  '$id',
  '$schema',
  '$anchor',
  'contentEncoding',
  'contentMediaType',
]);

const longName = 16;

/** The names of required arguments are read where they are defined. */
const isNameList = (field: string) => field.endsWith('.required');

function collect(value: unknown, field: string, depth: number, found: ToolText[]): void {
  if (depth > deepest || found.length >= mostTexts || typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    const place = `${field}.${key}`;
    if (typeof each === 'string') {
      if (!formKeys.has(key) && !isNameList(field)) found.push({ field: place, text: endsOf(each) });
    } else {
      // A name of many words may be an order itself.
      if (key.length >= longName) found.push({ field: `${place} (name)`, text: key.slice(0, 1000) });
      collect(each, place, depth + 1, found);
    }
    if (found.length >= mostTexts) return;
  }
}

/** Every text of a definition that an agent reads, names and all parts of the schemas too; and how much is left out. */
export function readTexts(tool: DescribedTool): { texts: ToolText[]; unread: number } {
  const found: ToolText[] = [{ field: 'description', text: endsOf(tool.description) }];
  if (tool.title !== undefined) found.push({ field: 'title', text: endsOf(tool.title) });
  found.push({ field: 'name', text: tool.name.slice(0, 1000) });
  collect(tool.inputSchema, 'input_schema', 0, found);
  collect(tool.outputSchema, 'output_schema', 0, found);
  collect(tool.annotations, 'annotations', 0, found);
  const texts: ToolText[] = [];
  let characters = 0;
  let unread = Math.max(0, tool.description.length - longestText);
  for (const each of found) {
    if (each.text.trim() === '') continue;
    if (characters + each.text.length > mostCharacters) unread += each.text.length;
    else {
      characters += each.text.length;
      texts.push(each);
    }
  }
  return { texts, unread };
}

/** The texts of `readTexts` alone. */
export const textsOf = (tool: DescribedTool): ToolText[] => readTexts(tool).texts;

/** Names of the arguments of a tool, those of nested objects too. */
export function argumentNames(schema: unknown, depth = 0): string[] {
  if (typeof schema !== 'object' || schema === null || depth > deepest) return [];
  const names: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null)
      names.push(...Object.keys(value).slice(0, 500));
    names.push(...argumentNames(value, depth + 1));
    if (names.length > 1000) break;
  }
  return names;
}
