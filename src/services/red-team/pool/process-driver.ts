import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findEnvironment } from '#environments/catalogue.ts';
import type { Sink } from '#environments/kit/environment.ts';
import { StartupError } from '#base/errors.ts';
import { type ProcessOptions, startProcess } from '#base/processes/start-process.ts';
import { EnvironmentProcess } from './environment-process.ts';
import type { Driver, PooledInstance } from './pool.ts';

const root = join(import.meta.dirname, '../../../..');
const program = 'src/environments/process/serve-environment.ts';

/** Starting more at a time makes none of them ready earlier on a few cores. */
const startsAtOnce = 4;

/**
 * Each instance of an environment in a process of its own: a statement that never ends, or memory that runs out, ends one
 * instance and not the service. The processes end with this one, however it ends.
 */
export class ProcessDriver implements Driver {
  readonly #launch: (environment: string) => ProcessOptions;
  readonly #starting: Promise<unknown>[] = Array.from({ length: startsAtOnce }, () => Promise.resolve());
  #turn = 0;

  constructor(launch = ownProcess) {
    this.#launch = launch;
  }

  async start(id: string): Promise<PooledInstance> {
    const environment = findEnvironment(id);
    if (!environment) throw new Error(`There is no environment "${id}".`);
    // Starts wait in a few rows, so that only some run at a time.
    const row = this.#turn++ % startsAtOnce;
    const started = (this.#starting[row] as Promise<unknown>).then(() => this.#start(id, environment.sinks));
    this.#starting[row] = started.catch(() => undefined);
    return started;
  }

  async #start(id: string, sinks: Sink[]): Promise<PooledInstance> {
    const handle = new EnvironmentProcess(id, sinks, await startProcess(this.#launch(id)));
    try {
      await handle.tools();
    } catch (error) {
      await handle[Symbol.asyncDispose]();
      throw error;
    }
    return {
      handle,
      isHealthy: () => handle.answers(),
      [Symbol.asyncDispose]: () => handle[Symbol.asyncDispose](),
    };
  }
}

/**
 * The same Node with a small heap, without our environment variables, and by Node's permission model without writing
 * files, starting programs or reading anything but the product itself.
 */
function ownProcess(environment: string): ProcessOptions {
  return {
    command: process.execPath,
    args: [
      ...process.execArgv.filter((arg) => !arg.startsWith('--inspect') && !arg.startsWith('--test')),
      '--permission',
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      '--max-semi-space-size=1',
      '--max-old-space-size=192',
      join(root, program),
      environment,
    ],
    cwd: root,
    env: { NODE_ENV: 'production' },
    limits: { openFiles: 256, fileBytes: 0 },
  };
}

/** The product, and the one package that environments import. */
const readable = [root, dirname(realpathSync(fileURLToPath(import.meta.resolve('zod/package.json'))))];

const isolated =
  'run --rm --interactive --init --network=none --read-only --cap-drop=ALL --security-opt=no-new-privileges --memory=256m --pids-limit=64'.split(
    ' ',
  );
const dockerSocket = '/var/run/docker.sock';

/**
 * Each instance in a container of this image (that of the product), without network, with a read-only file system.
 * @throws StartupError without Docker
 */
export function containerDriver(image: string | undefined, socket = dockerSocket): ProcessDriver {
  if (!image)
    throw new StartupError(
      'red_team.environment_driver is "container": set red_team.environment_image to the image of this product.',
    );
  if (!existsSync(socket))
    throw new StartupError(
      `red_team.environment_driver is "container", but there is no Docker socket at ${socket}. Use "process" or "in_process".`,
    );
  return new ProcessDriver((environment) => ({
    command: 'docker',
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    args: [...isolated, '--entrypoint=node', image, program, environment],
    env: { DOCKER_HOST: `unix://${socket}` },
  }));
}
