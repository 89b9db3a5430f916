import { parse } from 'yaml';
import { StartupError } from '../errors.ts';

/** What is wrong with a text that is not YAML, and where: the first line of the parser's message. */
export const yamlProblem = (cause: unknown): string =>
  ((cause as Error).message.split('\n')[0] ?? '').replace(/:$/, '');

/**
 * Parses YAML.
 * @param path the file's path, for the message.
 * @throws StartupError when it is not YAML.
 */
export function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new StartupError(`${path} is not valid YAML: ${yamlProblem(cause)}`, { cause });
  }
}
