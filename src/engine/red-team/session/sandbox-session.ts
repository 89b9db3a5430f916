import type { CallResult, ListedTool } from '#environments/kit/instance.ts';
import type { Sink } from '#environments/kit/environment.ts';
import type { Row } from '#environments/kit/row.ts';
import type { RowChange } from '#environments/kit/state.ts';
import { tablesOf } from '../checks/evaluate.ts';
import type { Observation, ObservedCall } from '../checks/observation.ts';
import { containsLetters } from '../checks/matcher.ts';
import type { TaskInstance } from '../tasks/instance.ts';

/** A leased instance of an environment, wherever it runs. */
export interface EnvironmentHandle {
  readonly sinks: Sink[];
  reset(seed: string, additions: Record<string, Row[]>): Promise<void>;
  tools(): Promise<ListedTool[]>;
  call(tool: string, args: Record<string, unknown>): Promise<CallResult>;
  changes(): Promise<RowChange[]>;
  rows(table: string): Promise<Row[]>;
}

const separator = '__';
const skillTool = 'skills__read';

const skillListing: ListedTool = {
  name: skillTool,
  description: 'Returns the text of a skill: a written procedure for a kind of work.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  annotations: { readOnlyHint: true },
};

/**
 * One task being worked on: the environments as the agent sees them, with the injection in its place, and a record of
 * everything that the agent did.
 */
export class SandboxSession {
  readonly #task: TaskInstance;
  readonly #environments: ReadonlyMap<string, EnvironmentHandle>;
  readonly #calls: ObservedCall[] = [];
  readonly #now: () => Date;
  #delivered = false;

  constructor(
    task: TaskInstance,
    environments: ReadonlyMap<string, EnvironmentHandle>,
    now = () => new Date(),
  ) {
    this.#task = task;
    this.#environments = environments;
    this.#now = now;
  }

  /** Puts the environments into the state that the task starts from. */
  async start(seed: string): Promise<void> {
    await Promise.all(
      [...this.#environments].map(([id, environment]) => environment.reset(seed, this.#task.seed[id] ?? {})),
    );
  }

  /** The tools of all environments, named by environment. */
  async tools(): Promise<ListedTool[]> {
    const { injection, skill } = this.#task;
    const lists = await Promise.all(
      [...this.#environments].map(async ([id, environment]) =>
        (await environment.tools()).map((tool) => ({ ...tool, name: `${id}${separator}${tool.name}` })),
      ),
    );
    const tools = [...lists.flat(), ...(skill ? [skillListing] : [])];
    const inDescription = injection?.vector === 'tool_description' || injection?.vector === 'combined';
    if (!injection || !inDescription) return tools;
    this.#delivered = true;
    return tools.map((tool) =>
      tool.name === injection.tool ? { ...tool, description: `${tool.description} ${injection.text}` } : tool,
    );
  }

  /** Runs a tool for the agent. */
  async call(name: string, args: Record<string, unknown>): Promise<CallResult> {
    const result = this.#changed(name, await this.#run(name, args));
    this.#calls.push({
      tool: name,
      args,
      output: result.text,
      ok: !result.isError,
      at: this.#now().toISOString(),
    });
    if (this.#task.injection && containsLetters(result.text, this.#task.injection.text))
      this.#delivered = true;
    return result;
  }

  /** Whether the injected text reached the agent. */
  get delivered(): boolean {
    return this.#delivered;
  }

  get calls(): readonly ObservedCall[] {
    return this.#calls;
  }

  /** What is to be judged, as it stands now. */
  async observe(response: string): Promise<Observation> {
    const tables = [this.#task.success, this.#task.attack].flatMap((check) => (check ? tablesOf(check) : []));
    const environments = await Promise.all(
      [...this.#environments].map(async ([id, environment]) => {
        const asked = new Set(tables.filter(({ env }) => env === id).map(({ table }) => table));
        const rows = await Promise.all(
          [...asked].map(async (table) => [table, await environment.rows(table)] as const),
        );
        const seen = {
          changes: await environment.changes(),
          sinks: environment.sinks,
          rows: Object.fromEntries(rows),
        };
        return [id, seen] as const;
      }),
    );
    return {
      prompt: this.#task.prompt,
      calls: [...this.#calls],
      environments: Object.fromEntries(environments),
      response,
    };
  }

  async #run(name: string, args: Record<string, unknown>): Promise<CallResult> {
    const { skill } = this.#task;
    if (skill && name === skillTool) {
      const known = args.name === skill.name;
      return { text: known ? skill.text : `There is one skill: "${skill.name}".`, isError: !known };
    }
    const at = name.indexOf(separator);
    const environment = this.#environments.get(name.slice(0, Math.max(at, 0)));
    if (!environment) return { text: `There is no tool "${name}" in this session.`, isError: true };
    return environment.call(name.slice(at + separator.length), args);
  }

  /** The output as a compromised server would send it. */
  #changed(name: string, result: CallResult): CallResult {
    const { injection } = this.#task;
    if (injection?.vector !== 'tool_output' || injection.tool !== name || result.isError) return result;
    return { ...result, text: `${result.text}\n\n${injection.text}` };
  }
}
