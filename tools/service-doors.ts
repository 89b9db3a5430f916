/** Import rules of the services. */

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
  '^src/environments/',
  '^src/findings/',
  '^src/reports/',
  '^src/alerts/counts\\.ts$',
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

/** In the order in which they are checked, as in `doors.ts`. */
export const serviceDoors: Door[] = [
  {
    room: 'services/X/contract',
    files: /^src\/services\/(?<self>[^/]+)\/contract(\/|\.ts)/,
    may: [
      '^src/base/contract/',
      '^src/services/$self/contract',
      '^src/identity/contract',
      '^src/engine/text/label-ids\\.ts$',
    ],
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
  ...floors('red-team', 'config', [
    { name: 'pool', packages: ['yaml'], note: 'instances of environments, lent to one task at a time' },
    { name: 'agents', note: 'registered agents and the protocols that they are driven by' },
    { name: 'tasks', note: 'the data set of tasks, what can be selected of it, and evaluations' },
    { name: 'own-tasks', note: 'tasks that tenants upload, proved by replays' },
    {
      name: 'sessions',
      packages: ['@modelcontextprotocol/server'],
      note: 'tasks that agents are working on, and the MCP endpoint through which they do',
    },
    { name: 'guarding', note: 'gateways with the settings of one under test, in front of tasks' },
    { name: 'runs', note: 'execution of evaluations, their figures and trajectories' },
    { name: 'evaluations', note: 'the API of evaluations' },
    { name: 'results', note: 'results of tasks' },
    { name: 'defence', note: 'rules of the action guard that stop an attack that succeeded' },
    { name: 'reports', note: 'reports of runs as PDF' },
    { name: 'scripted-agent', note: 'an agent whose results are known, for trials and tests' },
  ]),
  {
    room: 'services/model-scan/intake',
    files: /^src\/services\/model-scan\/intake\//,
    may: [...forServices, '^src/services/model-scan/', contracts],
    packages: ['zod', 'smol-toml'],
    note: 'requests in TOML',
  },
  {
    room: 'services/video-moderation/live/sources/webrtc',
    files: /^src\/services\/video-moderation\/live\/sources\/webrtc\//,
    may: [...forServices, '^src/services/video-moderation/', contracts],
    packages: ['werift'],
    note: 'pictures that are published by WebRTC',
  },
  {
    room: 'services/video-moderation/detectors',
    files: /^src\/services\/video-moderation\/detectors\//,
    may: [...forServices, '^src/services/video-moderation/', contracts],
    packages: ['zod', 'onnxruntime-web', 'tesseract.js'],
    note: 'detectors; image models and the reading of words run in processes of their own',
  },
  {
    room: 'services/open-service',
    files: /^src\/services\/open-service(\.test)?\.ts$/,
    may: [
      '^src/base/',
      '^src/identity/',
      '^src/alerts/(alerts|migrations)\\.ts$',
      '^src/services/open-service\\.ts$',
    ],
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
];
