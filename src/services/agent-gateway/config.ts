import { choice, integer, optionalText, optionalUrl } from '#base/config/setting.ts';

/** Settings of the agent gateway. */
export const agentGatewaySections = {
  agentGateway: {
    publicUrl: optionalUrl(
      ['https', 'http'],
      'Where clients reach the gateways, such as https://mcp.example.com; else the address that the service listens on.',
    ),
    clusterUrl: optionalUrl(
      ['https', 'http'],
      'Where other processes of the gateway over the same database reach this one, to pass on requests of sessions that ' +
        'live in it; else the address that it listens on, or this machine’s name where it listens on all.',
    ),
    clientMetadataUrl: optionalUrl(
      ['https'],
      'Where the gateway’s client metadata document is published for the authorization servers of MCP servers; else ' +
        'below public_url, where that is https.',
    ),
    actionGuardUrl: optionalUrl(
      ['https', 'http'],
      'The action guard, where it runs in another process; else http://127.0.0.1 with its port.',
    ),
    mcpScanUrl: optionalUrl(
      ['https', 'http'],
      'The MCP scan, where it runs in another process; else http://127.0.0.1 with its port.',
    ),
    scanGateTimeoutMs: integer(
      60_000,
      { min: 1000, max: 600_000 },
      'How long attaching a server waits for its scan, where a gateway has a scan_gate, in milliseconds.',
    ),
    stdioServers: choice(
      'administrators',
      ['administrators', 'everyone', 'off'],
      'Who may register servers that are commands, which run on this machine as its user: administrators of the ' +
        'tenant system, everyone, or nobody.',
    ),
    stdioPath: optionalText(
      'Folders in which commands of stdio servers are looked for; else PATH of the service.',
    ),
    stdioProcesses: integer(
      32,
      { min: 1, max: 10_000 },
      'Processes of stdio servers that one gateway runs at a time for clients that can be asked back.',
    ),
    callTimeoutMs: integer(
      60_000,
      { min: 100, max: 3_600_000 },
      'Time for one call of an MCP server, in milliseconds; progress begins it anew, up to ten times.',
    ),
    connectTimeoutMs: integer(
      10_000,
      { min: 100, max: 600_000 },
      'Time for the first exchange with an MCP server, in milliseconds.',
    ),
    messageBytes: integer(
      10 * 1024 * 1024,
      { min: 1024, max: 1024 ** 3 },
      'Largest message that is taken from an MCP server.',
    ),
    sessionIdleSeconds: integer(
      1800,
      { min: 10, max: 604_800 },
      'A client’s session ends after so many seconds without a request.',
    ),
    sessionsPerUser: integer(
      100,
      { min: 1, max: 100_000 },
      'Sessions that one user has open at a gateway; the one idle longest ends for a new one.',
    ),
    approvalTimeoutMs: integer(
      50_000,
      { min: 100, max: 3_600_000 },
      'How long a call waits for a person’s decision before it is denied, in milliseconds.',
    ),
    consentDays: integer(
      180,
      { min: 1, max: 3650 },
      'A person who let an OAuth client in is asked again after so many days.',
    ),
    refreshTokenDays: integer(
      30,
      { min: 1, max: 3650 },
      'An OAuth client that does not come back for so many days has to ask the person again.',
    ),
    registrationsPerMinute: integer(
      20,
      { min: 1, max: 100_000 },
      'OAuth clients that may register from one network in a minute, at one process.',
    ),
    unusedClientDays: integer(
      90,
      { min: 1, max: 3650 },
      'A registered OAuth client that nobody has used for so many days is removed; one that was never used, after a day.',
    ),
    identityKeyDays: integer(
      30,
      { min: 1, max: 3650 },
      'The key that signs what servers are told of callers (identity scheme signed_jwt) is replaced after so many days.',
    ),
    callRetentionDays: integer(
      90,
      { min: 0, max: 36_500 },
      'Entries of the audit log, and decisions on calls that waited for one, are deleted after this number of days; 0 keeps them.',
    ),
  },
} as const;
