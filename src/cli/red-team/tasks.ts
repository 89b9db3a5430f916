/** `bulwark red-team tasks`: tasks of one's own, proved here or uploaded. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, invalid } from '#base/errors.ts';
import { proveFile, type Refused } from '#engine/red-team/tasks/prove-file.ts';
import { plain } from '#base/log/plain.ts';
import { openRedTeam, type RedTeamOptions } from './open.ts';

export interface UploadOptions extends RedTeamOptions {
  name?: string;
  share?: true;
}

/** What the service takes. */
const mostCharacters = 1_000_000;
const shown = 20;

async function contentOf(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    throw invalid(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (content.length <= mostCharacters) return content;
  throw invalid(`${path} has ${content.length} characters; a task file may have ${mostCharacters}.`);
}

function printRefused(refused: readonly Refused[], total: number): void {
  for (const { task_id: id, problems } of refused.slice(0, shown))
    console.log(`  refused ${plain(id)}: ${plain(problems.join(' '))}`);
  if (total > shown) console.log(`  and ${total - shown} more`);
}

/** Proves the tasks of a file without a server. @returns whether any is refused */
export async function checkTasks(path: string, { json }: Pick<RedTeamOptions, 'json'>): Promise<boolean> {
  const { sound, refused } = await proveFile(await contentOf(path));
  if (json === true) console.log(JSON.stringify({ tasks: sound.map(({ id }) => id), refused }, null, 2));
  else {
    console.log(`${sound.length} tasks are sound, ${refused.length} are refused.`);
    printRefused(refused, refused.length);
  }
  return refused.length > 0;
}

/** Stores the sound tasks of a file as a set. */
export async function uploadTasks(path: string, options: UploadOptions): Promise<void> {
  const content = await contentOf(path);
  const client = await openRedTeam(options);
  const made = await client.createTaskSet({
    body: {
      name: options.name ?? basename(path).replace(/\.\w+$/, ''),
      content,
      visibility: options.share === true ? 'tenant' : 'private',
    },
  });
  if (options.json === true) return console.log(JSON.stringify(made, null, 2));
  console.log(`Set ${plain(made.name)} (${made.task_set_id}) with ${made.tasks} tasks.`);
  printRefused(made.refused, made.refused_total);
}

export async function listTaskSets(options: RedTeamOptions): Promise<void> {
  const client = await openRedTeam(options);
  const { task_sets: sets } = await client.listTaskSets({});
  if (options.json === true) return console.log(JSON.stringify(sets, null, 2));
  if (sets.length === 0)
    return console.log('There is no set of tasks. `bulwark red-team tasks upload` makes one.');
  for (const { task_set_id: id, name, tasks, owner_name: owner } of sets)
    console.log(`${id}  ${plain(name)}: ${tasks} tasks, of ${plain(owner ?? 'a deleted user')}`);
}

export async function deleteTaskSet(nameOrId: string, options: RedTeamOptions): Promise<void> {
  const client = await openRedTeam(options);
  const taskSetId = await taskSetIdOf(client, nameOrId);
  console.log((await client.deleteTaskSet({ params: { task_set_id: taskSetId } })).message);
}

/** @throws AppError 404 */
export async function taskSetIdOf(
  client: Awaited<ReturnType<typeof openRedTeam>>,
  nameOrId: string,
): Promise<string> {
  const { task_sets: sets } = await client.listTaskSets({});
  const found = sets.find(({ name, task_set_id: id }) => name === nameOrId || id === nameOrId);
  if (found !== undefined) return found.task_set_id;
  throw new AppError(
    404,
    'not_found',
    `There is no set of tasks ${JSON.stringify(nameOrId)}. \`bulwark red-team tasks list\` names them.`,
  );
}
