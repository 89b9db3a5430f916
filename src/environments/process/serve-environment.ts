/**
 * One instance of an environment in a process of its own: `node serve-environment.ts ENVIRONMENT`. It reads requests from
 * standard input and ends with it, so that it never outlives the program that started it.
 */
import { createInterface } from 'node:readline';
import { EnvironmentInstance } from '../kit/instance.ts';
import { loadEnvironment } from './load-environment.ts';
import type { EnvironmentAnswer, EnvironmentMethods, EnvironmentRequest } from './protocol.ts';

const name = process.argv[2] ?? '';
const environment = await loadEnvironment(name);
if (!environment) {
  process.stderr.write(`There is no environment "${name}".\n`);
  process.exit(2);
}
const instance = new EnvironmentInstance(environment);

const methods: EnvironmentMethods = {
  reset: ({ seed, additions }) => {
    instance.reset(seed, additions);
    return null;
  },
  tools: () => instance.tools(),
  call: ({ tool, args }) => instance.call(tool, args),
  changes: () => instance.changes(),
  rows: ({ table }) => instance.rows(table),
  ping: () => null,
};

function answer({ id, method, parameters }: EnvironmentRequest): EnvironmentAnswer {
  try {
    const run = methods[method] as (given: object) => unknown;
    return { id, result: run(parameters) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line) as EnvironmentRequest))}\n`);
process.exit(0);
