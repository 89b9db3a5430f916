import { flag, integer, optionalText } from '#base/config/setting.ts';

/** The policy guard's slice of the configuration. */
export const policyGuardSections = {
  policyGuard: {
    cacheByDefault: flag(true, 'Cache verdicts of guards whose settings.cache_enabled is not set.'),
    moderationGuard: optionalText(
      'UUID of the guard that OpenAI’s moderation models stand for; else the caller’s own oldest one.',
    ),
    queryRetentionDays: integer(
      30,
      { min: 0, max: 36_500 },
      'Entries of the query log are deleted after so many days; 0 keeps them.',
    ),
  },
} as const;
