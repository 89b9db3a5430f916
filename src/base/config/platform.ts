/** Settings of the whole platform; each service has its own slice besides. */
import {
  alsoFrom,
  choice,
  flag,
  integer,
  list,
  networks,
  optionalText,
  optionalUrl,
  secret,
  text,
  urlPath,
  type ConfigOf,
} from './setting.ts';

export const platformSections = {
  '': {
    environment: text('development', 'What /health answers as environment.'),
    dataDir: text('./data', 'Folder of the embedded database and of generated secrets.'),
    host: text('127.0.0.1', 'Address that the services listen on.'),
    insecurePublic: flag(false, 'Listen on a public address although authentication is off.'),
    secretKey: secret(32, 'Key of the secrets at rest; else one is generated beside the data.'),
    secretKeyPrevious: secret(
      32,
      'The key that secret_key takes the place of: what it has sealed can still be opened.',
    ),
    acceptNewKeys: flag(
      false,
      'For one start: take secret_key and jwt.secret although the database was used with others that are lost. What ' +
        'was sealed with the lost one has to be entered anew.',
    ),
    trustedProxies: networks(
      'Proxies in front of the services: who calls is read from the X-Forwarded-For that they write. Sign-in is ' +
        'throttled by that address, and the audit trail names it.',
    ),
    allowPrivateNetwork: list(
      [],
      'Private networks that a user’s URL may reach: `true` for all, or CIDR blocks such as 10.0.0.0/8.',
    ),
  },
  port: {
    dashboard: integer(
      22_100,
      { min: 0, max: 65_535 },
      'Port of the dashboard and front door; 0 takes a free one.',
    ),
    policyGuard: integer(8100, { min: 0, max: 65_535 }, 'Port of the policy guard; 0 takes a free one.'),
    policyGuardGrpc: integer(
      50_051,
      { min: 0, max: 65_535 },
      'Port of the policy guard for gRPC; 0 takes a free one.',
    ),
    actionGuard: integer(8200, { min: 0, max: 65_535 }, 'Port of the action guard; 0 takes a free one.'),
    agentGateway: integer(8300, { min: 0, max: 65_535 }, 'Port of the agent gateway; 0 takes a free one.'),
    shadowAi: integer(8400, { min: 0, max: 65_535 }, 'Port of shadow AI; 0 takes a free one.'),
  },
  grpc: {
    enabled: flag(true, 'Listen for gRPC too, on the services that have it.'),
    tlsCertFile: optionalText('Certificate of gRPC, a PEM file; without it gRPC goes without TLS.'),
    tlsKeyFile: optionalText('Its private key, a PEM file.'),
    tlsClientCaFile: optionalText(
      'Authority of the clients’ certificates, a PEM file; clients without one are then refused.',
    ),
  },
  database: {
    url: optionalUrl(
      ['postgres', 'postgresql'],
      'PostgreSQL; without it the embedded database in the data folder.',
    ),
    poolSize: integer(10, { min: 1, max: 1000 }, 'Connections to PostgreSQL of each process.'),
    connectTimeoutMs: integer(
      3000,
      { min: 100, max: 60_000 },
      'Time to get a connection to PostgreSQL, in milliseconds; after that the request is answered with 503.',
    ),
    answerTimeoutMs: integer(
      2000,
      { min: 100, max: 60_000 },
      'A PostgreSQL that says nothing for a second is asked whether it is there at all; without an answer within so ' +
        'many milliseconds what waits for it is answered with 503.',
    ),
    statementTimeoutMs: integer(
      60_000,
      { min: 1000, max: 86_400_000 },
      'PostgreSQL ends a statement, and a transaction that does nothing, after so many milliseconds.',
    ),
    staleSeconds: integer(
      300,
      { min: 0, max: 86_400 },
      'While the database does not answer, users, API keys and guards stand as they were last read for so long, ' +
        'unless they were heard to have changed.',
    ),
  },
  shutdown: {
    delayMs: integer(
      300,
      { min: 0, max: 600_000 },
      'How long a process that was told to stop still takes new connections, while /readyz says 503 and each answer ' +
        'ends its connection. Behind a load balancer: longer than it takes to notice, such as 10000.',
    ),
    timeoutMs: integer(
      30_000,
      { min: 100, max: 3_600_000 },
      'Requests that are not answered so long after that are cut off.',
    ),
  },
  redis: {
    url: optionalUrl(
      ['redis', 'rediss'],
      'Redis for a cache shared between processes; without it one in memory.',
    ),
    timeoutMs: integer(
      100,
      { min: 1, max: 60_000 },
      'Time for one command to it, in milliseconds; after that the call goes on without it.',
    ),
  },
  cache: {
    maxEntries: integer(
      10_000,
      { min: 1, max: 10_000_000 },
      'Entries of the cache in memory, of all tenants together; Redis has its own bound.',
    ),
    ttlSeconds: integer(3600, { min: 1, max: 31_536_000 }, 'How long an entry is kept.'),
  },
  auth: {
    enabled: flag(
      true,
      'Off: anyone who can connect is a local administrator, but for pages of other sites; loopback addresses only.',
    ),
  },
  audit: {
    retentionDays: integer(
      365,
      { min: 0, max: 36_500 },
      'Events of sign-in and administration are deleted after so many days; 0 keeps them.',
    ),
  },
  admin: {
    password: secret(8, 'Password of the first administrator; else a random one is printed once.'),
  },
  jwt: {
    secret: secret(32, 'Signs access tokens (HS256); else one is generated beside the data.'),
    previousSecret: secret(
      32,
      'The secret that jwt.secret takes the place of: tokens that it has signed are still taken.',
    ),
  },
  oidc: {
    issuer: optionalUrl(['https', 'http'], 'Also accept tokens of this OpenID Connect issuer.'),
    audience: text('bulwark', 'The audience that such tokens must name.'),
    usernameClaim: text('preferred_username', 'Claim with the user’s name.'),
    tenantClaim: text('tenant', 'Claim with the tenant’s name.'),
    rolesClaim: text('roles', 'Claim with the roles, a list or words.'),
    emailClaim: text(
      'email',
      'Claim with the e-mail address, which is not taken where `email_verified` is false.',
    ),
    clientId: optionalText(
      'Our client at the issuer: with it, people can sign in there on the pages of the gateways’ authorization servers.',
    ),
    clientSecret: secret(1, 'Its secret; a client without one is a public client.'),
    scopes: text('openid profile', 'What is asked of the issuer when somebody signs in there.'),
  },
  llm: {
    baseUrl: optionalUrl(
      ['https', 'http'],
      'An OpenAI-compatible server, such as http://127.0.0.1:11434/v1.',
    ),
    apiKey: secret(1, 'The key of the language model’s server.'),
    model: optionalText('The language model that its server is asked for.'),
    timeoutMs: integer(
      10_000,
      { min: 10, max: 600_000 },
      'Time for one question to it, with retries, in milliseconds.',
    ),
    attemptTimeoutMs: integer(
      5000,
      { min: 10, max: 600_000 },
      'Time for one request to it, in milliseconds.',
    ),
    attempts: integer(3, { min: 1, max: 10 }, 'Requests for one question to it at most.'),
    maxConcurrent: integer(16, { min: 1, max: 10_000 }, 'Requests to it at a time, of each process.'),
    tokensPerMinute: integer(
      0,
      { min: 0, max: 1_000_000_000 },
      'Tokens of prompts and answers a minute, of each process; 0: no limit.',
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
      'Bytes that the files of one tenant may have together: uploads, reports, results.',
    ),
    folder: optionalText('Folder that such files lie in; else `artifacts` in the data folder.'),
    s3Endpoint: optionalUrl(
      ['https', 'http'],
      'An S3-compatible store for them instead of a folder, which several processes on several machines need.',
    ),
    s3Bucket: optionalText('Its bucket, which must be there already.'),
    s3Region: text('us-east-1', 'Its region.'),
    s3AccessKeyId: secret(1, 'The id of the key to it.'),
    s3SecretAccessKey: secret(1, 'The key itself.'),
    s3TimeoutMs: integer(
      30_000,
      { min: 100, max: 3_600_000 },
      'Time until it has taken a file, or has begun to give one back, in milliseconds.',
    ),
  },
  rateLimit: {
    requestsPerMinute: integer(
      0,
      { min: 0, max: 10_000_000 },
      'Requests a minute of one key or user; 0: no limit.',
    ),
  },
  log: {
    level: choice(
      'info',
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'Least level that is logged.',
    ),
  },
  otlp: {
    endpoint: alsoFrom(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      optionalUrl(
        ['https', 'http'],
        'OpenTelemetry collector that spans are sent to (OTLP over HTTP, at its /v1/traces); off without it.',
      ),
    ),
    headers: alsoFrom(
      'OTEL_EXPORTER_OTLP_HEADERS',
      secret(1, 'Headers for it, such as authorization=Bearer%20key,x-team=a.'),
    ),
    samplePercent: integer(
      100,
      { min: 0, max: 100 },
      'Share of traces that begin here and are sent; a caller’s own decision is kept.',
    ),
  },
  metrics: {
    enabled: flag(false, 'Serve Prometheus metrics on every service.'),
    path: urlPath('/metrics', 'Where.'),
  },
} as const;

export type PlatformConfig = ConfigOf<typeof platformSections>;
