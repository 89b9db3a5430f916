import { flag } from '#base/config/setting.ts';

/** The policy guard's slice of the configuration. */
export const policyGuardSections = {
  policyGuard: {
    cacheByDefault: flag(true, 'Cache verdicts of guards whose settings.cache_enabled is not set.'),
  },
} as const;
