import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { AppError } from '../errors.ts';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Resolves the program's path, so that it can be started without `PATH`.
 * @param searchPath colon-separated folders in which a command without a slash is searched
 * @throws AppError 502 `command_not_found`
 */
export function resolveCommand(command: string, searchPath: string): string {
  if (isAbsolute(command)) return command;
  if (command.includes('/'))
    throw new AppError(
      502,
      'command_not_found',
      `The command ${command} must be a name or an absolute path.`,
    );
  const found = searchPath
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isExecutable);
  if (found === undefined)
    throw new AppError(502, 'command_not_found', `The command ${command} was not found on this machine.`);
  return found;
}
