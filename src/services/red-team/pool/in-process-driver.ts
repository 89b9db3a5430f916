import { findEnvironment } from '#environments/catalogue.ts';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import { EnvironmentState } from '#environments/kit/state.ts';
import { InProcessHandle } from '#engine/red-team/session/in-process.ts';
import type { Driver, PooledInstance } from './pool.ts';

/** Environments in this process: 88 of them start within a second. Their tools are ours and reach nothing outside. */
export class InProcessDriver implements Driver {
  /** Filled databases from which the instances of an environment start. */
  readonly #templates = new Map<string, Uint8Array>();

  async start(id: string): Promise<PooledInstance> {
    const environment = findEnvironment(id);
    if (!environment) throw new Error(`There is no environment "${id}".`);
    const template = this.#templates.get(id) ?? EnvironmentState.template(environment);
    this.#templates.set(id, template);
    const instance = new EnvironmentInstance(environment, template);
    return {
      handle: new InProcessHandle(instance),
      isHealthy: async () => true,
      [Symbol.asyncDispose]: async () => instance.close(),
    };
  }
}
