import type { ConfigOf } from '#base/config/setting.ts';
import type { redTeamSections } from '../config.ts';
import { InProcessDriver } from './in-process-driver.ts';
import type { Driver } from './pool.ts';
import { containerDriver, ProcessDriver } from './process-driver.ts';

/**
 * What starts instances of environments.
 * @throws StartupError if it is not possible here
 */
export function driverOf(settings: ConfigOf<typeof redTeamSections>['redTeam']): Driver {
  switch (settings.environmentDriver) {
    case 'in_process':
      return new InProcessDriver();
    case 'process':
      return new ProcessDriver();
    case 'container':
      return containerDriver(settings.environmentImage);
  }
}
