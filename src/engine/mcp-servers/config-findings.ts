/** What the definition of a server alone says, without connecting. */
import type { FrameworkRef, Observation } from '#findings/finding.ts';
import { type HeldValue, heldValues, maskedArguments } from './argument-secrets.ts';
import type { ServerConfig } from './configurations.ts';
import { expandedText, variablesIn } from './variables.ts';
import { isPinned, packageOf, pinned, type LaunchedPackage } from './launched-package.ts';

const secretShape =
  /^(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)/;
const secretName = /(?:key|token|secret|passw|credential|auth)/i;
const isReference = (value: string) =>
  /^\$\{?[\w:.-]+\}?$|^<[^>]+>$|^(?:your|xxx|changeme|placeholder|todo|example)/i.test(value);

/** What an observation about a configuration says of its own. */
type Found = Pick<Observation, 'rule' | 'title' | 'description' | 'severity' | 'remedy' | 'evidence'> & {
  frameworks: readonly FrameworkRef[];
};

function unpinned(server: string, launched: LaunchedPackage): Found {
  const { ecosystem, name, version } = launched;
  return {
    rule: 'config-unpinned-package',
    title: 'The server is started from a package without a fixed version',
    description: `${server} runs ${name}${version === undefined ? '' : `@${version}`}, whatever its publisher last released: a new release runs at the next start, unseen.`,
    severity: ecosystem === 'docker' && version !== undefined && version !== 'latest' ? 'low' : 'medium',
    evidence: name,
    remedy: `Name the version that was looked at, such as ${pinned(launched)}.`,
    frameworks: [
      { framework: 'cwe', id: 'CWE-1357' },
      { framework: 'owasp-mcp', id: 'MCP04:2025' },
    ],
  };
}

const plainHttp = (server: string): Found => ({
  rule: 'config-plain-http',
  title: 'The server is reached without encryption',
  description: `${server} is reached by http://: whoever is on the way reads and changes tools, calls and credentials.`,
  severity: 'medium',
  remedy: 'Use the https:// address of the server.',
  frameworks: [{ framework: 'cwe', id: 'CWE-319' }],
});

const heldSecret = (server: string, name: string): Found => ({
  rule: 'config-secret',
  title: 'A secret stands in the configuration',
  description: `'${name}' of ${server} holds a secret in plain text; whoever reads the configuration has it.`,
  severity: 'medium',
  evidence: name,
  remedy:
    'Refer to a variable of the environment or to the client’s secret storage, and replace this secret.',
  frameworks: [
    { framework: 'cwe', id: 'CWE-798' },
    { framework: 'owasp-mcp', id: 'MCP01:2025' },
  ],
});

const downloaded = (server: string, line: string): Found => ({
  rule: 'config-download-and-run',
  title: 'The server is downloaded and run in one step',
  description: `${server} pipes a download into a shell: what runs is what the other side sends at that moment.`,
  severity: 'high',
  evidence: line.slice(0, 200),
  remedy: 'Install a version that was looked at, and start that.',
  frameworks: [
    { framework: 'cwe', id: 'CWE-494' },
    { framework: 'owasp-mcp', id: 'MCP04:2025' },
  ],
});

const escaping = (server: string, line: string): Found => ({
  rule: 'config-container-escape',
  title: 'The container is given the machine',
  description: `${server} runs in a container with the rights of the host (--privileged, the docker socket or the root folder).`,
  severity: 'high',
  evidence: line.slice(0, 200),
  remedy: 'Mount only the folders that the server needs, without --privileged and without the docker socket.',
  frameworks: [{ framework: 'cwe', id: 'CWE-250' }],
});

/** What stands there besides variables, with their defaults: these are written in the file. */
const written = (value: string) =>
  leftOutVariables(expandedText(value, undefined))
    .replace(/^(?:Bearer|Basic|token)\s*/i, '')
    .trim();
const leftOutVariables = (value: string) => (variablesIn(value).length > 0 ? '' : value);

const isSecret = ({ name, value: given }: HeldValue) => isHeld({ name, value: written(given) });

const isHeld = ({ name, value }: HeldValue) =>
  value !== '' &&
  !isReference(value) &&
  (secretShape.test(value) ||
    (secretName.test(name) && value.length >= (/passw/i.test(name) ? 8 : 16) && /\d/.test(value)));

const runsDownload = (line: string) =>
  /\b(?:curl|wget)\b[^|]{0,2000}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/.test(line) ||
  /\b(?:iwr|irm)\b[^|]{0,2000}\|\s*iex\b/i.test(line);

const givesMachine = (arg: string) =>
  arg === '--privileged' || arg.includes('docker.sock') || /^(?:\/|\/root|\/home):/.test(arg);

/** Where a definition comes from. */
export interface ConfigOrigin {
  /** The file where it stands, and its line; without one it was sent to us. */
  at?: { path: string; line: number };
  /** Its secrets come from a store of secrets, where they belong, or are told with their place elsewhere. */
  areSecretsKept?: boolean;
}

/** What one definition alone says, without connecting. */
export function configFindings(
  server: string,
  config: ServerConfig,
  { at, areSecretsKept = false }: ConfigOrigin = {},
): Observation[] {
  const { url, command = '', args, env, headers } = config;
  const launched = packageOf(config);
  const line = [command, ...args].join(' ');
  const shownLine = [command, ...maskedArguments(args)].join(' ');
  const values = areSecretsKept
    ? []
    : [
        ...Object.entries({ ...env, ...headers }).map(([name, value]) => ({ name, value })),
        ...heldValues(args),
      ];
  const found: Found[] = [
    ...(launched === undefined ? [] : ofPackage(server, launched, args, shownLine)),
    ...(isPlainHttp(url) ? [plainHttp(server)] : []),
    ...values.filter(isSecret).map(({ name }) => heldSecret(server, name)),
    ...(runsDownload(line) ? [downloaded(server, shownLine)] : []),
  ];
  const place = at && { location: { path: at.path, startLine: at.line, endLine: at.line } };
  return found.map((each) => ({
    confidence: 'high',
    tags: ['configuration'],
    subject: server,
    ...place,
    ...each,
  }));
}

const isPlainHttp = (url: string | undefined) =>
  url !== undefined && url.startsWith('http://') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(url);

const ofPackage = (
  server: string,
  launched: LaunchedPackage,
  args: readonly string[],
  line: string,
): Found[] => [
  ...(isPinned(launched) ? [] : [unpinned(server, launched)]),
  ...(launched.ecosystem === 'docker' && args.some(givesMachine) ? [escaping(server, line)] : []),
];
