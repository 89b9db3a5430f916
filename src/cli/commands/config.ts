import type { Command } from 'commander';
import { effectiveSettings } from '#base/config/effective.ts';
import { loadConfig } from '#base/config/load.ts';
import { refuseOpenDoors } from '#base/config/refuse-open-doors.ts';
import { readEnv } from '#base/config/read-env.ts';
import { sections } from '../../settings.ts';

/** `bulwark check-config`: the configuration that would hold, or what is wrong with it. */
export function addConfigCommand(program: Command): void {
  program
    .command('check-config')
    .description('check the configuration and print the value of each setting; secrets are not shown')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => {
      const config = loadConfig(sections, readEnv());
      refuseOpenDoors(config);
      const rows = effectiveSettings(sections, config);
      if (options.json === true)
        console.log(
          JSON.stringify(Object.fromEntries(rows.map(({ path, value }) => [path, value])), null, 2),
        );
      else {
        const width = Math.max(...rows.map(({ path }) => path.length));
        for (const { path, value, isSet } of rows)
          console.log(
            `${isSet ? '*' : ' '} ${path.padEnd(width)}  ${value === null ? '–' : JSON.stringify(value)}`,
          );
        console.log('\n* set by the environment or the file. The configuration is valid.');
      }
    });
}
