import {
  choice,
  flag,
  integer,
  list,
  optionalText,
  optionalUrl,
  secret,
  text,
} from '#base/config/setting.ts';

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
      'Number of days after which entries of the query log are deleted; 0 keeps them.',
    ),
    historyRetentionDays: integer(
      730,
      { min: 0, max: 36_500 },
      'Number of days after which former versions of policy groups are deleted, except the twenty newest of each; 0 keeps them.',
    ),
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
  policyGuardJudge: {
    engine: choice(
      'auto',
      ['auto', 'embedded', 'llm', 'cascade', 'moderation', 'onnx'],
      'Who judges for guards whose settings.engine is not set; auto: cascade where a language model is configured, else embedded.',
    ),
    failMode: choice(
      'degrade',
      ['degrade', 'closed', 'open'],
      'What a policy becomes whose judge did not answer: what the embedded engine says, violated, or not violated.',
    ),
    timeoutMs: integer(
      5000,
      { min: 10, max: 600_000 },
      'Timeout for all calls of a judge about one text together, in milliseconds.',
    ),
    bands: list(
      [],
      'Where a cascade asks the language model: <detector>=<from>..<to>, * for all; detectors that are not named have the bands of data/models/text.bands.json. `bulwark eval text --choose-band` finds yours.',
    ),
    reasoning: choice(
      'on_flag',
      ['off', 'on_flag', 'always'],
      'When the language model gives a reason, in a separate call after its verdict.',
    ),
    batchSize: integer(
      1,
      { min: 1, max: 5 },
      'Policies in one call of the language model; 1 is the most exact, more cost less.',
    ),
    callsAtATime: integer(
      16,
      { min: 1, max: 1000 },
      'Calls of the language model at a time for one text; llm.max_concurrent holds for all.',
    ),
    moderationUrl: optionalUrl(
      ['https', 'http'],
      'A server with /moderations as OpenAI has it, such as https://api.openai.com/v1.',
    ),
    moderationApiKey: secret(1, 'The key of the moderation server.'),
    moderationModel: text('omni-moderation-latest', 'The model in requests to the moderation server.'),
    onnxFolder: optionalText(
      'Folder of a text classifier in ONNX files with a bulwark.json; needs the package @huggingface/transformers.',
    ),
  },
} as const;
