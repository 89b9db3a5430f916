import { flag, integer } from '#base/config/setting.ts';

/** The policy guard's slice of the configuration. */
export const policyGuardSections = {
  policyGuard: {
    cacheByDefault: flag(true, 'Cache verdicts of guards whose settings.cache_enabled is not set.'),
    maxStreams: integer(
      1000,
      { min: 1, max: 100_000 },
      'Streaming checks at the same time in this process; one tenant has at most half of them.',
    ),
    streamIdleSeconds: integer(
      60,
      { min: 1, max: 3600 },
      'A streaming check whose caller sends nothing for so long is ended.',
    ),
  },
} as const;
