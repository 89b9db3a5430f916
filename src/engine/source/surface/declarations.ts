/** What a server says that it offers: in lists that clients ask for, apart from the functions that answer calls. */
import { libraryAt } from '../library/library-parts.ts';
import type { SourceModule } from '../modules.ts';
import type { Given } from '../taint/frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';
import { textAt } from './written.ts';
import { type Named, namedDefinition, saysInput } from './definition.ts';

export type DeclaredKind = 'tool' | 'resource' | 'prompt' | 'instructions';

/** Something that a server lists. */
export interface Declared extends Named {
  kind: DeclaredKind;
  module: SourceModule;
  at: number;
  end: number;
}

interface Place {
  module: SourceModule;
  at: number;
  end: number;
}

/** `types.Tool(name=…)`, `new McpSchema.Tool("name", …)`, `Tool::new("name", …)` */
const isTool = /(?:^|[.?])Tool(?:\.new)?$/;

/** What makes a server, and what gives it its instructions. */
const makesServer =
  /(?:^|[.?])(?:McpServer|Server|FastMCP|MCPServer|NewMCPServer|NewServer|ServerInfo|InitializeResult|WithInstructions|with_instructions|instructions)$/;

const mostDeclared = 5000;

const named = (args: readonly Given[], name: string): Value | undefined =>
  args.find((arg) => arg.name === name)?.value;

function instructionsIn(name: string, args: readonly Given[]): string {
  const own = /[iI]nstructions$/.test(name) ? textAt(args[0]?.value) : '';
  const given = args.map(
    ({ value }) => value.fields?.get('instructions') ?? value.fields?.get('Instructions'),
  );
  return own || [named(args, 'instructions'), ...given].map(textAt).find((text) => text !== '') || '';
}

/** A call that makes a tool, as an object with its parts: by their names, or name and description first. */
function madeTool(args: readonly Given[]): Value {
  const byName = args.filter(({ name }) => name !== undefined);
  const [name, description, schema] = args.map(({ value }) => value);
  const parts: [string, Value | undefined][] =
    byName.length > 0
      ? byName.map((arg) => [arg.name ?? '', arg.value])
      : [
          ['name', name],
          ['description', description],
          ['inputSchema', schema],
        ];
  return {
    taints: [],
    fields: new Map(parts.filter((part): part is [string, Value] => part[1] !== undefined)),
  };
}

/** What is listed under these names is offered; which of them says its kind. */
const lists: readonly (readonly [name: string, kind: DeclaredKind])[] = [
  ['tools', 'tool'],
  ['resources', 'resource'],
  ['resourceTemplates', 'resource'],
  ['prompts', 'prompt'],
];

/** All that was declared, each once. */
export class Declarations {
  readonly #all = new Map<string, Declared>();

  get all(): readonly Declared[] {
    return [...this.#all.values()];
  }

  #add(kind: DeclaredKind, definition: Named, place: Place): void {
    const key = `${kind}\0${definition.name}\0${definition.description}`;
    const { module, at, end } = place;
    const known = this.#all.get(key);
    // One that says more takes the place of what a list was seen to hold.
    if (known !== undefined && (known.inputSchema !== undefined || definition.inputSchema === undefined))
      return;
    if (this.#all.size >= mostDeclared || libraryAt(module, at) !== undefined) return;
    this.#all.set(key, { kind, ...definition, module, at, end });
  }

  /**
   * An object that may define a tool, or say how the server is to be used.
   * @param type what the source says that it is, where it does
   */
  ofObject(value: Value, place: Place, type = ''): void {
    if (!saysInput(value) && value.said === undefined && !isTool.test(type)) return;
    const definition = namedDefinition(value);
    if (definition !== undefined) this.#add('tool', definition, place);
  }

  /** A call that may make a tool or a server. */
  ofCall(name: string, args: readonly Given[], place: Place): void {
    if (isTool.test(name)) {
      const definition = namedDefinition(madeTool(args));
      if (definition !== undefined) this.#add('tool', definition, place);
    } else if (makesServer.test(name)) {
      const description = instructionsIn(name, args);
      if (description !== '') this.#add('instructions', { name: 'instructions', description }, place);
    }
  }

  /** What a function gives that answers what a server offers. */
  ofList(value: Value, { fn, module }: FunctionValue): void {
    for (const [name, kind] of lists)
      for (const each of value.fields?.get(name)?.fields?.values() ?? []) {
        const definition = namedDefinition(each);
        if (definition !== undefined) this.#add(kind, definition, { module, at: fn.at, end: fn.at });
      }
  }
}

/** Whether a call can declare something. */
export const declares = (name: string): boolean => isTool.test(name) || makesServer.test(name);
