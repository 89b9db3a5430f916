import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parse } from 'yaml';
import { expand } from './expand.ts';
import type { TaskInstance } from './instance.ts';
import { withoutShorthand } from './shorthand.ts';
import { type TaskFile, taskFileSchema } from './task-file.ts';

const folder = join(import.meta.dirname, '../../../../data/red-team/tasks');

/** Reads a task file of anybody. Errors name the field: `goals.3.attack`. */
export const readTaskFile = (text: string, name: string): TaskFile =>
  taskFileOf(parse(text, { maxAliasCount: 50 }), name);

function taskFileOf(value: unknown, name: string): TaskFile {
  const result = taskFileSchema.safeParse(withoutShorthand(value));
  if (result.success) return result.data;
  const mistakes = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`${name}: ${mistakes.join('; ')}`);
}

let shipped: TaskInstance[] | undefined;

/** The tasks that come with the product; read once. */
export function shippedTasks(): readonly TaskInstance[] {
  shipped ??= readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => expand(taskFileOf(load(readFileSync(join(folder, name), 'utf8')), name)));
  return shipped;
}
