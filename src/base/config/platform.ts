/** Settings of the whole platform; each service adds its own. */
import {
  alsoFrom,
  choice,
  flag,
  integer,
  networks,
  networksOrAll,
  optionalText,
  optionalUrl,
  secret,
  text,
  urlPath,
  type ConfigOf,
} from './setting.ts';

const port = (preset: number, of: string) =>
  integer(preset, { min: 0, max: 65_535 }, `Port of ${of}; 0 picks a free one.`);

export const platformSections = {
  '': {
    environment: text('development', 'What /health answers as environment.'),
    dataDir: text('./data', 'Folder of the embedded database and of generated secrets.'),
    host: text('127.0.0.1', 'Address that the services listen on.'),
    insecurePublic: flag(false, 'Listen on a public address although authentication is off.'),
    secretKey: secret(
      32,
      'Key that encrypts secrets at rest; if unset, one is generated in the data folder.',
    ),
    secretKeyPrevious: secret(
      32,
      'The key that secret_key replaces: what it encrypted is encrypted with the new key in the background. Needed until ' +
        '/readyz answers key_rotation: done.',
    ),
    acceptNewKeys: flag(
      false,
      'For one start: accept a changed secret_key or jwt.secret although the old one is lost. Secrets encrypted ' +
        'with the lost key must be entered again.',
    ),
    trustedProxies: networks(
      'Trusted proxies in front of the services: the client address is read from their X-Forwarded-For. Sign-in is ' +
        'throttled by that address, and the audit log records it.',
    ),
    allowPrivateNetwork: networksOrAll(
      'Private networks that a user’s URL may reach: `true` for all, or CIDR blocks such as 10.0.0.0/8.',
    ),
  },
  port: {
    dashboard: port(22_100, 'the dashboard and front door'),
    policyGuard: port(8100, 'the policy guard'),
    policyGuardGrpc: port(50_051, 'the policy guard for gRPC'),
    actionGuard: port(8200, 'the action guard'),
    agentGateway: port(8300, 'the agent gateway'),
    shadowAi: port(8400, 'shadow AI'),
    mcpScan: port(8500, 'the MCP scan'),
    videoModeration: port(8600, 'video moderation'),
    videoModerationGrpc: port(50_052, 'video moderation for gRPC'),
    modelScan: port(8700, 'the model safety scan'),
    redTeam: port(38_085, 'the red-teaming platform'),
    redTeamPool: port(8091, 'the manager of the red-teaming environments'),
  },
  grpc: {
    enabled: flag(true, 'Also serve gRPC, on the services that support it.'),
    tlsCertFile: optionalText('TLS certificate for gRPC, a PEM file; if unset, gRPC is not encrypted.'),
    tlsKeyFile: optionalText('Private key of the gRPC certificate, a PEM file.'),
    tlsClientCaFile: optionalText(
      'Certificate authority for client certificates, a PEM file; if set, clients without a certificate are refused.',
    ),
  },
  database: {
    url: alsoFrom(
      'REDTEAM_DATABASE_URL',
      optionalUrl(
        ['postgres', 'postgresql'],
        'URL of PostgreSQL; if unset, the embedded database in the data folder is used.',
      ),
    ),
    poolSize: integer(10, { min: 1, max: 1000 }, 'Size of the PostgreSQL connection pool of each process.'),
    connectTimeoutMs: integer(
      3000,
      { min: 100, max: 60_000 },
      'Timeout for getting a PostgreSQL connection, in milliseconds; then the request fails with 503.',
    ),
    answerTimeoutMs: integer(
      2000,
      { min: 100, max: 60_000 },
      'When PostgreSQL has been silent for a second, it is probed; if the probe gets no answer within this many ' +
        'milliseconds, requests that wait for it fail with 503.',
    ),
    statementTimeoutMs: integer(
      60_000,
      { min: 1000, max: 86_400_000 },
      'Timeout of a PostgreSQL statement and of an idle transaction, in milliseconds.',
    ),
    staleSeconds: integer(
      300,
      { min: 0, max: 86_400 },
      'While the database is unavailable, cached users, API keys and guards stay valid for this many seconds, ' +
        'unless a change notification invalidated them.',
    ),
  },
  shutdown: {
    delayMs: integer(
      300,
      { min: 0, max: 600_000 },
      'A stopping process still accepts requests, while /readyz returns 503 and each response closes its connection, ' +
        'until none has arrived for this many milliseconds (at most 5 s longer). Behind a load balancer: longer than ' +
        'its health check interval, such as 10000.',
    ),
    timeoutMs: integer(
      30_000,
      { min: 100, max: 3_600_000 },
      'Time for running requests to finish after that, in milliseconds; then they are cut off.',
    ),
  },
  redis: {
    url: optionalUrl(
      ['redis', 'rediss'],
      'URL of Redis, for a cache and rate limits shared between processes; if unset, each process caches in memory, and ' +
        'rate limits are shared through PostgreSQL.',
    ),
    timeoutMs: integer(
      100,
      { min: 1, max: 60_000 },
      'Timeout of one Redis command, in milliseconds; then the request continues without the cache.',
    ),
  },
  cache: {
    maxEntries: integer(
      10_000,
      { min: 1, max: 10_000_000 },
      'Maximum entries of the in-memory cache, all tenants together; Redis has its own limit.',
    ),
    ttlSeconds: integer(3600, { min: 1, max: 31_536_000 }, 'How long an entry is kept.'),
  },
  auth: {
    enabled: alsoFrom(
      'REDTEAM_AUTH_ENABLED',
      flag(
        true,
        'If false, anyone who can connect is an administrator (except pages of other sites); loopback addresses only.',
      ),
    ),
  },
  audit: {
    retentionDays: integer(
      365,
      { min: 0, max: 36_500 },
      'Days after which sign-in and administration events are deleted; 0 keeps them.',
    ),
  },
  admin: {
    password: secret(8, 'Password of the first administrator; if unset, a random one is printed once.'),
  },
  jwt: {
    secret: alsoFrom(
      'REDTEAM_JWT_SECRET',
      secret(32, 'Signs access tokens (HS256); if unset, one is generated in the data folder.'),
    ),
    previousSecret: secret(
      32,
      'The secret that jwt.secret replaces: tokens signed with it are still accepted.',
    ),
  },
  oidc: {
    issuer: alsoFrom(
      'REDTEAM_AUTH_URL',
      optionalUrl(['https', 'http'], 'Also accept tokens of this OpenID Connect issuer.'),
    ),
    audience: text('bulwark', 'Required audience (`aud`) of such tokens.'),
    usernameClaim: text('preferred_username', 'Claim with the user’s name.'),
    tenantClaim: text('tenant', 'Claim with the tenant’s name.'),
    rolesClaim: text('roles', 'Claim with the roles, a list or words.'),
    emailClaim: text('email', 'Claim with the e-mail address; ignored if `email_verified` is false.'),
    clientId: optionalText(
      'Our client id at the issuer; enables sign-in there on the pages of the gateways’ authorization servers.',
    ),
    clientSecret: secret(1, 'Client secret; if unset, we are a public client.'),
    scopes: text('openid profile', 'Scopes requested from the issuer at sign-in.'),
  },
  llm: {
    baseUrl: optionalUrl(
      ['https', 'http'],
      'URL of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1.',
    ),
    apiKey: secret(1, 'API key for the language model’s server.'),
    model: optionalText('Name of the language model.'),
    timeoutMs: integer(
      10_000,
      { min: 10, max: 600_000 },
      'Timeout of one model call including retries, in milliseconds.',
    ),
    attemptTimeoutMs: integer(
      5000,
      { min: 10, max: 600_000 },
      'Timeout of one HTTP request to the model, in milliseconds.',
    ),
    attempts: integer(3, { min: 1, max: 10 }, 'Maximum HTTP requests for one model call.'),
    maxConcurrent: integer(
      16,
      { min: 1, max: 10_000 },
      'Maximum concurrent requests to the model, per process.',
    ),
    tokensPerMinute: integer(
      0,
      { min: 0, max: 1_000_000_000 },
      'Maximum tokens (prompts and answers) per minute and process; 0: no limit.',
    ),
  },
  limits: {
    bodyBytes: integer(10 * 1024 * 1024, { min: 1024, max: 1024 ** 3 }, 'Largest request body.'),
    uploadBytes: integer(100 * 1024 * 1024, { min: 1024, max: 10 * 1024 ** 3 }, 'Largest uploaded file.'),
  },
  artifacts: {
    quotaBytes: integer(
      10 * 1024 ** 3,
      { min: 1024 ** 2, max: 1024 ** 5 },
      'Storage quota of one tenant in bytes: uploads, reports, results.',
    ),
    folder: optionalText('Folder of such files; if unset, `artifacts` in the data folder.'),
    s3Endpoint: optionalUrl(
      ['https', 'http'],
      'URL of an S3-compatible store to use instead of a folder; needed when processes run on several machines.',
    ),
    s3Bucket: optionalText('S3 bucket, which must exist.'),
    s3Region: text('us-east-1', 'Its region.'),
    s3AccessKeyId: secret(1, 'S3 access key id.'),
    s3SecretAccessKey: secret(1, 'S3 secret access key.'),
    s3TimeoutMs: integer(
      30_000,
      { min: 100, max: 3_600_000 },
      'Timeout for storing a file, or for the first byte of one that is read, in milliseconds.',
    ),
  },
  rateLimit: {
    requestsPerMinute: integer(
      0,
      { min: 0, max: 10_000_000 },
      'Requests per minute of one API key or user at one service, all its processes together; 0: no limit.',
    ),
  },
  log: {
    level: choice(
      'info',
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'Lowest level that is logged.',
    ),
    format: choice(
      'auto',
      ['auto', 'json', 'text'],
      'Lines of JSON, or text for people; auto: text where standard error is a terminal.',
    ),
  },
  otlp: {
    endpoint: alsoFrom(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      optionalUrl(
        ['https', 'http'],
        'OpenTelemetry collector that receives spans (OTLP over HTTP, at its /v1/traces); if unset, tracing is off.',
      ),
    ),
    headers: alsoFrom(
      'OTEL_EXPORTER_OTLP_HEADERS',
      secret(1, 'Headers sent to the collector, such as authorization=Bearer%20key,x-team=a.'),
    ),
    samplePercent: integer(
      100,
      { min: 0, max: 100 },
      'Percentage of traces started here that are sampled; a caller’s sampling decision is kept.',
    ),
  },
  smtp: {
    url: secret(1, 'Mail server for notices, such as smtp://user:password@mail.example.com:587.'),
    from: text('Bulwark <bulwark@localhost>', 'Sender of notices.'),
  },
  metrics: {
    enabled: flag(false, 'Serve Prometheus metrics on every service.'),
    path: urlPath('/metrics', 'Where.'),
  },
} as const;

export type PlatformConfig = ConfigOf<typeof platformSections>;
