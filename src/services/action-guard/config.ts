import { choice, flag, integer, list, optionalUrl } from '#base/config/setting.ts';

/** The action guard's slice of the configuration. */
export const actionGuardSections = {
  actionGuard: {
    logRetentionDays: integer(
      0,
      { min: 0, max: 36_500 },
      'Number of days after which log entries of the action guard are deleted; 0 keeps them.',
    ),
    logParamsBytes: integer(
      65_536,
      { min: 256, max: 10 * 1024 * 1024 },
      'Larger tool parameters are logged as their size and beginning.',
    ),
    extractionRetentionDays: integer(
      90,
      { min: 0, max: 36_500 },
      'Extraction jobs are deleted so many days after their end; 0 keeps them.',
    ),
    agentGatewayUrl: optionalUrl(
      ['https', 'http'],
      'The agent gateway, where it runs in another process; else http://127.0.0.1 with its port. It is asked whether a ' +
        'policy set is in use before that is deleted.',
    ),
    ownDomains: list(
      [],
      'Mail and web domains that count as the own ones for policy sets that name none, such as example.com.',
    ),
    unconfirmedRules: choice(
      'ask',
      ['ask', 'warn', 'deny'],
      'What a call that breaks, or comes near to, a rule that was understood in part and that nobody has confirmed gets: it waits for a person, is allowed with a warning, or is refused. It is never more than a warning where the rule itself would only warn: below `blocking_level`, and under `rule_threshold` below the threshold.',
    ),
    approvalMinutes: integer(
      60,
      { min: 1, max: 43_200 },
      'How long a call that a rule holds waits for a person, and how long it may be sent again once it was approved.',
    ),
    ruleReader: choice(
      'model',
      ['model', 'grammar'],
      'Who reads the sentences of rules when they are saved: the language model where one is configured, or the grammar alone.',
    ),
    logTraces: choice(
      'off',
      ['off', 'blocked', 'all'],
      'Of which actions the log keeps the whole trace, so that it can be looked at and judged again; it may hold personal data.',
    ),
    logTraceBytes: integer(
      262_144,
      { min: 1024, max: 10 * 1024 * 1024 },
      'Of larger traces the log keeps the latest steps.',
    ),
    logToolOutputs: flag(false, 'Also log what tools answered; it may hold personal data.'),
  },
} as const;
