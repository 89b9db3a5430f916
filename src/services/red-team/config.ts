import { alsoFrom, choice, integer, number, optionalText, optionalUrl } from '#base/config/setting.ts';

/** The slice of the red-teaming platform of the configuration. */
export const redTeamSections = {
  redTeam: {
    proxyMcpUrl: alsoFrom(
      'REDTEAM_PROXY_MCP_URL',
      optionalUrl(
        ['https', 'http'],
        'Public URL of the MCP proxy (ending in /sandbox/mcp) that agents under test use; default: this service’s own address.',
      ),
    ),
    maxConcurrentTasks: alsoFrom(
      'REDTEAM_MAX_CONCURRENT_TASKS',
      integer(
        5,
        { min: 1, max: 256 },
        'Tasks of a run that are worked on at a time, unless the run says otherwise.',
      ),
    ),
    agentRequestTimeoutSeconds: alsoFrom(
      'REDTEAM_AGENT_REQUEST_TIMEOUT',
      number(600, { min: 1, max: 86_400 }, 'Seconds to wait for the reply of an agent under test.'),
    ),
    runsAtOnce: integer(8, { min: 1, max: 256 }, 'Runs that a process executes at a time; others wait.'),
    environmentDriver: choice(
      'in_process',
      ['in_process', 'process', 'container'],
      'Where environments run: in the service, each instance in a process of its own (about 60 MB each), or in a container.',
    ),
    environmentImage: optionalText(
      'Image of this product for `environment_driver: container`; needs the Docker socket.',
    ),
    poolFile: optionalText(
      'YAML file that maps environment ids to numbers of instances (`mail: 8`); default: 88 instances of all environments.',
    ),
  },
} as const;
