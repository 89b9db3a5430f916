import type { Sink } from '#environments/kit/environment.ts';
import type { Row } from '#environments/kit/row.ts';
import type { CallResult, EnvironmentInstance, ListedTool } from '#environments/kit/instance.ts';
import type { RowChange } from '#environments/kit/state.ts';
import type { EnvironmentHandle } from './sandbox-session.ts';

/** An environment in this process: the fastest driver, for self-checks, tests and trusted use. */
export class InProcessHandle implements EnvironmentHandle {
  readonly #instance: EnvironmentInstance;

  constructor(instance: EnvironmentInstance) {
    this.#instance = instance;
  }

  get sinks(): Sink[] {
    return this.#instance.environment.sinks;
  }

  async reset(seed: string, additions: Record<string, Row[]>): Promise<void> {
    this.#instance.reset(seed, additions);
  }

  async tools(): Promise<ListedTool[]> {
    return this.#instance.tools();
  }

  async call(tool: string, args: Record<string, unknown>): Promise<CallResult> {
    return this.#instance.call(tool, args);
  }

  async changes(): Promise<RowChange[]> {
    return this.#instance.changes();
  }

  async rows(table: string): Promise<Row[]> {
    return this.#instance.rows(table);
  }
}
