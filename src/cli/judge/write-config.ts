/** Settings in the configuration file, with everything else in it left as it is. */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parseDocument, type Document } from 'yaml';
import { loadConfig, type Env } from '#base/config/load.ts';
import { invalid } from '#base/errors.ts';
import { sections } from '../../settings.ts';

/** By section and key, as the file has them: `llm` → `model`. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The file that the services read, whether it is there or not. */
export const configFile = (env: Env): string => env['BULWARK_CONFIG'] || 'bulwark.yaml';

/** As lines of the file. */
export const asYaml = (settings: Settings): string =>
  Object.entries(settings)
    .flatMap(([section, values]) => [
      `${section}:`,
      ...Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
    ])
    .join('\n');

function change(document: Document, settings: Settings): void {
  for (const [section, values] of Object.entries(settings))
    for (const [key, value] of Object.entries(values)) document.setIn([section, key], value);
}

/**
 * Changes the file in one step: readers see the old one or the new one.
 * @throws AppError 422 where it cannot be read or written; StartupError where the services would refuse the outcome
 */
export function writeSettings(path: string, settings: Settings, env: Env): void {
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const isThere = existsSync(target);
    const document = parseDocument(isThere ? readFileSync(target, 'utf8') : '');
    change(document, settings);
    const draft = `${target}.${process.pid}.tmp`;
    try {
      writeFileSync(draft, document.toString({ lineWidth: 0 }), {
        mode: isThere ? statSync(target).mode : 0o644,
        flag: 'wx',
      });
      loadConfig(sections, { ...env, BULWARK_CONFIG: draft });
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (cause) {
    if (!(cause instanceof Error) || !('syscall' in cause)) throw cause;
    throw invalid(`${path} cannot be written: ${cause.message}`, cause);
  }
}
