/** Import rules: which room may import which, and which npm packages each room may use. */

export interface Door {
  /** Name in the table. */
  room: string;
  /** Pattern of the room's files; a named group `self` can be used in `may` as `$self`. */
  files: RegExp;
  /** Our own files that it may import, besides itself. */
  may: string[];
  /** The same in words, if the table would be repetitive. */
  inWords?: string;
  /** npm packages that the room may import. */
  packages: string[];
  note: string;
}

interface Floor {
  /** The folder. */
  name: string;
  /** Rooms outside the service that it may import; default: all that a service may import. */
  rooms?: string[];
  /** npm packages in addition to those of every service. */
  packages?: string[];
  note: string;
}

const forServices = [
  '^src/base/',
  '^src/identity/',
  '^src/llm/',
  '^src/mcp/',
  '^src/engine/',
  '^src/findings/',
  '^src/reports/',
];
const contracts = '^src/services/[^/]+/contract';

const nameOf = (pattern: string) => `\`${pattern.replace(/^\^src\//, '')}\``;

/**
 * Sub-rooms of a service, from the lowest layer up: each may import those before it.
 * @param own files of the service's folder that they may import too
 */
const floors = (service: string, own: string, names: Floor[]): Door[] =>
  names.map(({ name, rooms, packages = [], note }, i) => {
    const here = `^src/services/${service}/`;
    const below = names.slice(0, i).map((each) => each.name);
    return {
      room: `services/${service}/${name}`,
      files: new RegExp(`${here}${name}/`),
      may: [
        ...(rooms ?? forServices),
        contracts,
        ...(below.length > 0 ? [`${here}(${below.join('|')})/`] : []),
        `${here}${own}\\.ts$`,
      ],
      inWords: [
        rooms === undefined
          ? 'other rooms as `services/X`'
          : `of other rooms contracts, ${rooms.map(nameOf).join(', ')}`,
        `of its own service \`${own.replaceAll('|', '/')}.ts\`${i === 0 ? '' : ' and the sub-rooms before it'}`,
      ].join('; '),
      packages: ['zod', 'lru-cache', ...packages],
      note,
    };
  });

/** The first matching entry applies to a file. */
export const doors: Door[] = [
  {
    room: 'base/contract',
    files: /^src\/base\/contract\//,
    may: ['^src/base/(errors|ids|clock)\\.ts$'],
    packages: ['zod', 'zod-openapi'],
    note: 'operations as values; also runs in a browser',
  },
  {
    room: 'base',
    files: /^src\/base\//,
    may: ['^src/base/'],
    packages: [
      'fastify',
      '@fastify/*',
      'redoc',
      'pg',
      '@electric-sql/pglite',
      'pg-boss',
      'pino',
      'prom-client',
      'ioredis',
      'lru-cache',
      'undici',
      'yaml',
      'zod',
      'zod-openapi',
      'jose',
      'nodemailer',
      '@opentelemetry/*',
      'unpdf',
      'yauzl',
      'yazl',
      'tar-stream',
      'aws4fetch',
      '@grpc/*',
      'grpc-health-check',
    ],
    note: 'independent of our domain',
  },
  {
    room: 'identity/contract',
    files: /^src\/identity\/contract(\/|\.ts)/,
    may: ['^src/base/contract/', '^src/identity/contract'],
    packages: ['zod'],
    note: 'wire schemas: browser, command line and tests may import it',
  },
  {
    room: 'identity',
    files: /^src\/identity\//,
    may: ['^src/base/', '^src/identity/'],
    packages: ['jose', 'oauth4webapi', '@node-rs/argon2', 'lru-cache', 'zod'],
    note: 'the one authentication model',
  },
  {
    room: 'llm',
    files: /^src\/llm\//,
    may: ['^src/base/'],
    packages: ['undici', 'zod'],
    note: 'language models: capabilities, verdicts, deadlines, budgets',
  },
  {
    room: 'mcp',
    files: /^src\/mcp\//,
    may: ['^src/base/'],
    packages: ['oauth4webapi'],
    note: 'the Model Context Protocol: messages, transports, protocol eras, OAuth at servers',
  },
  {
    room: 'engine/source',
    files: /^src\/engine\/source\//,
    may: [
      '^src/base/(errors|ids|clock)\\.ts$',
      '^src/base/processes/(run-thread|serve-task)\\.ts$',
      '^src/findings/',
      '^src/engine/source/',
    ],
    packages: ['web-tree-sitter', '@vscode/tree-sitter-wasm', 'yaml', 'zod', '@secretlint/*'],
    note: 'pure: source text in, observations out; parsers as WebAssembly, rules as data',
  },
  {
    room: 'engine',
    files: /^src\/engine\//,
    may: ['^src/base/(errors|ids|clock)\\.ts$', '^src/engine/'],
    packages: [],
    note: 'pure: no http, no db, no environment; a language model is passed as an argument',
  },
  {
    room: 'findings',
    files: /^src\/findings\//,
    may: ['^src/base/(errors|ids|clock)\\.ts$', '^src/findings/'],
    packages: ['sarif'],
    note: 'pure: findings of scanners and red teams, SARIF, frameworks as data',
  },
  {
    room: 'reports/charts',
    files: /^src\/reports\/charts\//,
    may: ['^src/reports/(charts/|visible-text\\.ts$)'],
    packages: [],
    note: 'charts as SVG text; also runs in a browser',
  },
  {
    room: 'reports',
    files: /^src\/reports\//,
    may: ['^src/base/', '^src/reports/'],
    packages: ['pdfmake', 'fontkit', '@expo-google-fonts/*', '@fontsource/unifont'],
    note: 'PDF reports, rendered in a thread; independent of services',
  },
  {
    room: 'services/X/contract',
    files: /^src\/services\/(?<self>[^/]+)\/contract(\/|\.ts)/,
    may: ['^src/base/contract/', '^src/services/$self/contract', '^src/identity/contract'],
    packages: ['zod'],
    note: 'browser, command line and tests may import it',
  },
  ...floors('agent-gateway', '(config|events)', [
    {
      name: 'assertions',
      rooms: ['^src/base/', '^src/identity/'],
      packages: ['jose'],
      note: 'signed assertions of the caller’s identity',
    },
    { name: 'registry', note: 'definitions of gateways and servers' },
    {
      name: 'oauth',
      rooms: ['^src/base/', '^src/identity/'],
      packages: ['oidc-provider', 'jose'],
      note: 'the authorization server of each gateway',
    },
    { name: 'audit', note: 'the audit log of calls' },
    { name: 'grants', note: 'OAuth sign-in at MCP servers' },
    { name: 'on-behalf', note: 'passing the caller’s identity to servers' },
    { name: 'upstreams', note: 'connections to servers, and their tools, resources and prompts' },
    {
      name: 'guarding',
      note: 'everything between a call and its server: access, pins, approvals, action guard',
    },
    { name: 'endpoint', note: 'the MCP endpoint for clients; running gateways' },
    { name: 'management', note: 'the management API' },
  ]),
  ...floors('policy-guard', 'config', [
    { name: 'library', note: 'policies, templates and learned models' },
    { name: 'guards', note: 'guards, their allow-lists and metrics' },
    { name: 'judging', note: 'from a text to a verdict' },
    { name: 'learning', note: 'adaptations of guards, the optimisation lab' },
    { name: 'observing', note: 'query log, labels, live feed, governance' },
    {
      name: 'apis',
      note: 'the APIs for judging: guards, OpenAI, LiteLLM and Portkey, streams, gRPC, the tester',
    },
  ]),
  {
    room: 'services/open-service',
    files: /^src\/services\/open-service(\.test)?\.ts$/,
    may: ['^src/base/', '^src/identity/', '^src/services/open-service\\.ts$'],
    packages: [],
    note: 'common start and shutdown of services',
  },
  {
    room: 'services/X',
    files: /^src\/services\/(?<self>[^/]+)\//,
    may: [...forServices, '^src/services/$self/', '^src/services/open-service\\.ts$', contracts],
    packages: ['zod', 'lru-cache'],
    note: 'other services only through their contracts',
  },
  {
    room: 'front-door/contract',
    files: /^src\/front-door\/contract\.ts$/,
    may: ['^src/base/contract/'],
    packages: ['zod'],
    note: 'the browser may import it',
  },
  {
    room: 'front-door',
    files: /^src\/front-door\//,
    may: ['^src/base/', '^src/identity/', '^src/front-door/'],
    packages: ['vite'],
    note: 'the dashboard’s server: its session, its files, a proxy to each service',
  },
  {
    room: 'dashboard',
    files: /^dashboard\//,
    may: [
      '^src/base/contract/',
      '^src/base/errors\\.ts$',
      '^src/base/events/(event|read-events)\\.ts$',
      '^src/identity/contract',
      '^src/front-door/contract\\.ts$',
      '^src/services/[^/]+/contract',
    ],
    packages: [
      'react',
      'react-dom',
      '@tanstack/*',
      'radix-ui',
      'lucide-react',
      'cmdk',
      'sonner',
      'recharts',
      '@codemirror/*',
      '@lezer/highlight',
      'clsx',
      'tailwind-merge',
      'class-variance-authority',
      'vite',
      '@vitejs/plugin-react',
      '@tailwindcss/vite',
      'zod',
    ],
    note: 'the browser application: imports only contracts and their client',
  },
  {
    room: 'cli',
    files: /^src\/cli\//,
    may: [
      '^src/cli/',
      '^src/(main|settings|version)\\.ts$',
      '^src/base/',
      '^src/engine/',
      '^src/identity/contract',
      '^src/services/[^/]+/contract',
      '^src/services/policy-guard/judging/offline-judging\\.ts$',
      '^src/services/action-guard/evaluate/trace-step\\.ts$',
      '^src/services/shadow-ai/simulator/(simulator|scenarios|world)\\.ts$',
    ],
    packages: ['commander', '@clack/prompts', 'cli-progress', 'yaml', 'zod'],
    note: 'contracts and the client; engine, judges and trace parsing, for judging without a server; the simulator of endpoint security',
  },
  {
    room: 'main',
    files: /^src\/(main|services|settings|version)\.ts$/,
    may: [
      '^src/(services|settings|version)\\.ts$',
      '^src/front-door/(front-door|config)\\.ts$',
      '^src/base/',
      '^src/identity/',
      '^src/llm/',
      '^src/services/[^/]+/(service|config)\\.ts$',
      '^src/engine/',
    ],
    packages: [],
    note: 'which services → context → start → wait → dispose',
  },
  {
    room: 'tools, bench, test',
    files: /^(tools|bench|test)\//,
    may: ['^src/', '^tools/', '^test/', '^bench/'],
    packages: ['*'],
    note: 'development only; tests go through contracts and service.ts',
  },
];
