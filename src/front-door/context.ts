import type { EffectiveSetting } from '#base/config/effective.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { Identity } from '#identity/identity.ts';
import type { dashboardSections } from './config.ts';

export interface FrontDoorContext extends PlatformContext {
  readonly config: PlatformContext['config'] & ConfigOf<typeof dashboardSections>;
  readonly identity: Identity;
  /** Every setting of this process, without secrets. */
  readonly settings: readonly EffectiveSetting[];
  /** The services that can be reached through this door. */
  readonly serviceNames: readonly string[];
  /** Of the browser application; the one beside the source unless said. */
  readonly dashboardFolder?: string;
  /** Where a service listens. */
  readonly addressOf: (service: string) => string;
}
