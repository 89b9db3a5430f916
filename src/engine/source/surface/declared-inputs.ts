/** What tools are given, by the names and the words of their schemas, at any depth. */
import type { Offered } from './offered.ts';

/** A parameter of a tool as an agent reads it. */
export interface DeclaredInput {
  tool: string;
  /** What the tool says of itself. */
  description: string;
  /** What is said of the parameter. */
  said: string;
  /** Its schema leaves but numbers, yes and no, or a few words. */
  isNarrow: boolean;
}

/** `outputPath` and `output_path` are one name. */
const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Schemas within schemas; deeper ones are seldom written by hand. */
const deepest = 5;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const narrowTypes: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean']);

const isNarrow = (schema: unknown): boolean =>
  isRecord(schema) &&
  (narrowTypes.has(schema['type']) || (Array.isArray(schema['enum']) && schema['enum'].length > 0));

const hasParts = (schema: unknown): boolean =>
  isRecord(schema) &&
  (isRecord(schema['properties']) || (isRecord(schema['items']) && isRecord(schema['items']['properties'])));

/** Parameters of the tools of a project. */
export class DeclaredInputs {
  readonly #byName = new Map<string, DeclaredInput[]>();
  readonly #tools = new Set<string>();

  constructor(offered: readonly Offered[]) {
    for (const { kind, name, description, inputSchema } of offered)
      if (kind === 'tool') {
        if (description !== '') this.#tools.add(name);
        this.#add(inputSchema, { tool: name, description }, 0);
      }
  }

  #add(schema: unknown, of: { tool: string; description: string }, depth: number): void {
    if (!isRecord(schema) || depth > deepest) return;
    const { properties, items, anyOf, oneOf } = schema;
    for (const [name, each] of Object.entries(isRecord(properties) ? properties : {})) {
      const said = isRecord(each) && typeof each['description'] === 'string' ? each['description'] : '';
      const key = bare(name);
      const known = this.#byName.get(key);
      const input = { ...of, said, isNarrow: isNarrow(each) };
      // Of what has parts, those are what is used.
      if (!hasParts(each)) this.#byName.set(key, [...(known ?? []), input]);
      this.#add(each, of, depth + 1);
    }
    for (const each of [items, anyOf, oneOf].flat()) this.#add(each, of, depth + 1);
  }

  /** Whether a tool of this name says of itself what it does. */
  offers(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /**
   * The parameters that a word of the source may be: those of the tool, or of all where the tool is none that was seen to
   * be offered, such as the function that answers for all.
   */
  named(word: string, tool: string): readonly DeclaredInput[] {
    const all = this.#byName.get(bare(word)) ?? [];
    return this.offers(tool) ? all.filter((each) => each.tool === tool) : all;
  }
}
