/** Proves tasks of a file by the replays that those of the product pass, in bounded time. */
import { setImmediate as others } from 'node:timers/promises';
import { invalid } from '#base/errors.ts';
import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import type { TaskInstance } from './instance.ts';
import { shippedTasks } from './load.ts';
import { TaskChecker } from './self-check.ts';

export interface Refused {
  readonly task_id: string;
  readonly problems: string[];
}

/** Scenarios and goals multiply: this many instances are proved in a few seconds. */
const mostTasks = 1000;
const mostMs = 60_000;

/** For reading it: a megabyte of YAML that is none takes the parser minutes. */
const readLimits = { timeoutMs: 20_000, memoryBytes: 1024 * 1024 * 1024 } as const;

/** @throws AppError 422 that says what is wrong with the file */
async function read(content: string): Promise<TaskInstance[]> {
  try {
    return await runThread(new URL('./read-thread.ts', import.meta.url), content, readLimits);
  } catch (error) {
    if (error instanceof ThreadLimitError)
      throw invalid("'content' takes too long or too much memory to read: send it in parts.");
    throw invalid(error instanceof Error ? error.message.slice(0, 2000) : "'content' cannot be read.");
  }
}

/** The sound tasks of a file, and the others with their reasons. @throws AppError 422 */
export async function proveFile(content: string): Promise<{ sound: TaskInstance[]; refused: Refused[] }> {
  const tasks = await read(content);
  if (tasks.length > mostTasks)
    throw invalid(
      `'content' makes ${tasks.length} tasks, and at most ${mostTasks} are taken at a time: send it in parts.`,
    );
  const taken = new Set(shippedTasks().map(({ id }) => id));
  const checker = new TaskChecker();
  const sound: TaskInstance[] = [];
  const refused: Refused[] = [];
  const until = performance.now() + mostMs;
  for (const task of tasks) {
    // Other requests are served in between.
    await others();
    if (performance.now() > until)
      throw invalid("'content' takes too long to prove: send fewer scenarios and goals at a time.");
    const problems = taken.has(task.id)
      ? ['There is a task of this id already.']
      : await checker
          .problems(task)
          .catch((error: unknown) => [
            error instanceof Error ? error.message.slice(0, 500) : 'It cannot be run.',
          ]);
    taken.add(task.id);
    if (problems.length === 0) sound.push(task);
    else refused.push({ task_id: task.id, problems });
  }
  return { sound, refused };
}
