import { flag, integer, optionalText } from '#base/config/setting.ts';

/** The slice of shadow AI of the configuration. */
export const shadowAiSections = {
  shadowAi: {
    telemetryRetentionDays: integer(
      30,
      { min: 1, max: 3650 },
      'Number of days after which telemetry of endpoints is deleted; detections stay.',
    ),
    promptExtraction: flag(
      false,
      'Take prompts from the command lines of agents, for tenants without a connector; secrets and personal data are ' +
        'taken out. With a connector its setting prompt_extraction counts.',
    ),
    catalogueFile: optionalText(
      'JSON file with rules and providers of your own, in the form of data/shadow-ai: `{rules, providers, remove}`. An ' +
        'entry with an id of the catalogue replaces it; `remove` lists ids to leave out.',
    ),
  },
} as const;
