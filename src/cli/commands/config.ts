import type { Command } from 'commander';
import { keysOf, loadConfig } from '#base/config/load.ts';
import { readEnv } from '#base/config/read-env.ts';
import { sections } from '../../settings.ts';

/** `bulwark check-config`: the configuration that would hold, or what is wrong with it. */
export function addConfigCommand(program: Command): void {
  program
    .command('check-config')
    .description('check the configuration, and print what each setting would be; secrets are not shown')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => {
      const config = loadConfig(sections, readEnv()) as unknown as Record<string, unknown>;
      const rows = keysOf(sections).map(({ section, name, path, variable, setting }) => {
        const part = section === '' ? config : (config[section] as Record<string, unknown>);
        return { path, variable, value: part[name] ?? null, set: part[name] !== setting.preset };
      });
      if (options.json === true)
        console.log(
          JSON.stringify(Object.fromEntries(rows.map(({ path, value }) => [path, value])), null, 2),
        );
      else {
        const width = Math.max(...rows.map(({ path }) => path.length));
        for (const { path, value, set } of rows)
          console.log(
            `${set ? '*' : ' '} ${path.padEnd(width)}  ${value === null ? '–' : JSON.stringify(value)}`,
          );
        console.log('\n* set by the environment or the file. The configuration is valid.');
      }
    });
}
