import { parse, YAMLParseError } from 'yaml';
import { StartupError } from '../errors.ts';

/**
 * Parses YAML.
 * @param path the file's path, for the message.
 * @throws StartupError when it is not YAML.
 */
export function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const why = cause instanceof YAMLParseError ? cause.message.split('\n')[0] : (cause as Error).message;
    throw new StartupError(`${path} is not valid YAML: ${why}`, { cause });
  }
}
