import { z } from 'zod';
import { type Environment, type EnvironmentTool, ToolError, type ToolOutput } from './environment.ts';
import type { Row } from './row.ts';
import { EnvironmentState, type RowChange } from './state.ts';

/** The answer to a tool call. */
export interface CallResult {
  /** What the agent reads. */
  text: string;
  isError: boolean;
}

/** A tool as MCP lists it, without the environment's prefix. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean };
}

/** Tool outputs longer than this are cut, and say so. */
const longestOutput = 40_000;

/**
 * One running copy of an environment. It serves one session at a time: `reset` starts a new session from the template
 * in a few milliseconds.
 */
export class EnvironmentInstance {
  readonly environment: Environment;
  readonly #template: Uint8Array;
  readonly #tools: Map<string, EnvironmentTool>;
  #state: EnvironmentState;
  #listed: ListedTool[] | undefined;

  constructor(environment: Environment, template = EnvironmentState.template(environment)) {
    this.environment = environment;
    this.#template = template;
    this.#tools = new Map(environment.tools.map((tool) => [tool.name, tool]));
    this.#state = EnvironmentState.start(environment, template, environment.id);
  }

  /**
   * Starts a new session.
   * @param seed equal seeds give equal ids
   * @param additions rows that the session starts with beside the template's, by table; a row with the key of an
   *   existing one changes it
   */
  reset(seed: string, additions: Record<string, Row[]> = {}): void {
    const next = EnvironmentState.start(this.environment, this.#template, seed, additions);
    this.#state.close();
    this.#state = next;
  }

  tools(): ListedTool[] {
    this.#listed ??= this.environment.tools.map(({ name, description, input, readOnly }) => ({
      name,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>,
      annotations: { readOnlyHint: readOnly },
    }));
    return this.#listed;
  }

  /** Runs a tool. Mistakes of the caller are results with `isError`, and change nothing. */
  call(name: string, args: Record<string, unknown>): CallResult {
    const tool = this.#tools.get(name);
    if (!tool)
      return { text: `There is no tool "${name}" in the environment ${this.environment.id}.`, isError: true };
    this.#state.tick();
    try {
      const output = this.#state.transaction(() => tool.run(args, this.#state));
      return { text: printed(output), isError: false };
    } catch (error) {
      if (error instanceof ToolError) return { text: error.message, isError: true };
      if (error instanceof z.ZodError) return { text: inputMistakes(error), isError: true };
      throw error;
    }
  }

  /** Every row that differs from the start of the session. */
  changes(): RowChange[] {
    return this.#state.changes();
  }

  /** The rows of a table as they are now. */
  rows(table: string): Row[] {
    return this.#state.all(`SELECT * FROM "${table}"`);
  }

  /** How many rows a table has now. */
  count(table: string): number {
    return Number(this.#state.get(`SELECT count(*) AS total FROM "${table}"`)?.total);
  }

  /** The names of a table's columns. */
  columns(table: string): string[] {
    return this.#state.all(`SELECT name FROM pragma_table_info(?)`, table).map(({ name }) => String(name));
  }

  close(): void {
    this.#state.close();
  }
}

function printed(output: ToolOutput): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 1);
  return text.length <= longestOutput
    ? text
    : `${text.slice(0, longestOutput)}\n[cut: ${text.length} characters in all]`;
}

function inputMistakes(error: z.ZodError): string {
  const sentences = error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return `Invalid arguments. ${sentences.join('; ')}`;
}
