/**
 * Reads a suite of AgentDojo from its published files: start state, injection vectors, tasks, recorded runs. The files
 * are not part of this repository.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { parse } from 'yaml';
import type { RecordedRun, SuiteTask } from './records.ts';

/** Text of each injection vector. */
export type Vectors = Readonly<Record<string, string>>;

/** The files of one suite. */
export class SuiteData {
  readonly #environment: unknown;
  readonly #defaults: Vectors;
  readonly tasks: readonly SuiteTask[];

  constructor(folder: string, suite: string) {
    const file = (name: string) => readFileSync(join(folder, 'suites', suite, name), 'utf8');
    this.#environment = parse(file('environment.yaml'));
    const vectors = parse(file('injection_vectors.yaml')) as Record<string, { default: string }>;
    this.#defaults = Object.fromEntries(
      Object.entries(vectors).map(([name, vector]) => [name, vector.default]),
    );
    this.tasks = readFileSync(join(folder, 'tasks.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as SuiteTask)
      .filter((task) => task.suite === suite);
  }

  /** The start state with these texts in the vectors; vectors that are not named keep their default text. */
  startState(injections: Vectors): unknown {
    return filled(this.#environment, { ...this.#defaults, ...injections });
  }
}

/**
 * AgentDojo writes the state as YAML with every text in double quotes, puts the vectors' texts in as they are, and
 * parses the result: breaks in an injected text are folded, escapes in it are resolved.
 */
function filled(value: unknown, vectors: Vectors): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, vectors));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, vectors)]));
  if (typeof value !== 'string' || !/\{\w+\}/.test(value)) return value;
  const quoted = JSON.stringify(value).slice(1, -1);
  const text = quoted.replaceAll(/\{(\w+)\}/g, (mark, name: string) => vectors[name] ?? mark);
  return parse(`"${text}"`) as string;
}

/** The recorded runs, one at a time: the file is large. */
export async function* recordedRuns(folder: string): AsyncGenerator<RecordedRun> {
  const lines = createInterface({
    input: createReadStream(join(folder, 'runs_dev.jsonl.gz')).pipe(createGunzip()),
    crlfDelay: Infinity,
  });
  for await (const line of lines) if (line) yield JSON.parse(line) as RecordedRun;
}
