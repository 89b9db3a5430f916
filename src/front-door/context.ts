import type { Alerts } from '#alerts/alerts.ts';
import type { EffectiveSetting } from '#base/config/effective.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { Identity } from '#identity/identity.ts';
import type { dashboardSections } from './config.ts';

export interface FrontDoorContext extends PlatformContext {
  readonly config: PlatformContext['config'] & ConfigOf<typeof dashboardSections>;
  readonly identity: Identity;
  /** Absent in contexts of tests that need none. */
  readonly alerts?: Alerts | undefined;
  /** All settings of this process, without secrets. */
  readonly settings: readonly EffectiveSetting[];
  /** The services that can be reached through the front door. */
  readonly serviceNames: readonly string[];
  /** Folder of the browser application; default: the one beside the source. */
  readonly dashboardFolder?: string;
  /** Where a service listens. */
  readonly addressOf: (service: string) => string;
}
