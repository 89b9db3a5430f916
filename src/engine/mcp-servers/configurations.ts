/** MCP configurations, as clients keep them: which servers, and what their definitions alone already say. */
import type { Observation } from '#findings/finding.ts';

export interface ServerConfig {
  url?: string | undefined;
  transport?: 'http' | 'sse' | undefined;
  headers: Record<string, string>;
  command?: string | undefined;
  args: string[];
  env: Record<string, string>;
  allowNetwork: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(
            ([, each]) => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean',
          )
          .map(([name, each]) => [name, String(each)]),
      )
    : {};

/** A configuration's servers: `mcpServers`, `mcp.servers` or `servers`; undefined for what is none. */
export function serversIn(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const { mcpServers, mcp, servers } = value;
  if (isObject(mcpServers)) return mcpServers;
  if (isObject(mcp) && isObject(mcp['servers'])) return mcp['servers'];
  return isObject(servers) &&
    Object.values(servers).every((each) => isObject(each) && ('url' in each || 'command' in each))
    ? servers
    : undefined;
}

/** One server's definition, or why it is none. */
export function readServerConfig(value: unknown): ServerConfig | string {
  if (!isObject(value)) return 'must be an object';
  const { url, command, args, transport, type } = value;
  const kind = transport ?? type;
  if (typeof url !== 'string' && typeof command !== 'string') return "needs 'url' or 'command'";
  if (typeof url === 'string' && typeof command === 'string') return "has both 'url' and 'command'; give one";
  if (args !== undefined && !(Array.isArray(args) && args.every((each) => typeof each === 'string')))
    return "'args' must be a list of texts";
  const named = typeof kind === 'string' ? kind.toLowerCase() : undefined;
  const known = named === 'sse' ? 'sse' : named === undefined || named === 'stdio' ? undefined : 'http';
  if (
    named !== undefined &&
    !['sse', 'http', 'stdio', 'streamable-http', 'streamablehttp', 'streamable_http'].includes(named)
  )
    return `'transport' must be sse or http`;
  if (typeof url === 'string' && !/^https?:\/\//i.test(url))
    return "'url' must be an http:// or https:// address";
  return {
    ...(typeof url === 'string' && {
      url,
      transport: known ?? (/\/sse\/?(?:\?|$)/.test(url) ? 'sse' : undefined),
    }),
    headers: texts(value['headers']),
    ...(typeof command === 'string' && { command }),
    args: Array.isArray(args) ? (args as string[]) : [],
    env: texts(value['env']),
    allowNetwork: value['allow_network'] === true,
  };
}

export interface LaunchedPackage {
  ecosystem: 'npm' | 'PyPI' | 'docker';
  name: string;
  version?: string | undefined;
}

const valueOptions = new Set([
  '-p',
  '--package',
  '--from',
  '--with',
  '--python',
  '-e',
  '--env',
  '-v',
  '--volume',
  '--name',
  '--network',
  '--mount',
  '-w',
  '-u',
  '--entrypoint',
  '--registry',
  '--index-url',
]);

/** The package that a command line starts, where it is `npx`, `uvx`, `docker run` and the like. */
export function packageOf({
  command,
  args,
}: Pick<ServerConfig, 'command' | 'args'>): LaunchedPackage | undefined {
  const program = (command ?? '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(?:exe|cmd)$/i, '');
  const plain: string[] = [];
  let named: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const next = args[at + 1];
    if (arg === '-p' || arg === '--package' || arg === '--from') named ??= next;
    if (valueOptions.has(arg)) at++;
    else if (!arg.startsWith('-')) plain.push(arg);
  }
  const isRun = (words: readonly string[]) => words.includes(plain[0] ?? '');
  const npm = (spec: string | undefined): LaunchedPackage | undefined => {
    const [, name, version] = /^((?:@[^/@\s]+\/)?[^@\s/]+)(?:@(.+))?$/.exec(spec ?? '') ?? [];
    return name === undefined ? undefined : { ecosystem: 'npm', name, version };
  };
  const pypi = (spec: string | undefined): LaunchedPackage | undefined => {
    const [, name, version] = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:(?:==|@)(.+))?$/.exec(spec ?? '') ?? [];
    return name === undefined ? undefined : { ecosystem: 'PyPI', name, version };
  };
  if (program === 'npx' || program === 'bunx' || program === 'pnpx') return npm(named ?? plain[0]);
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(program ?? '') && isRun(['exec', 'x', 'dlx']))
    return npm(named ?? plain[1]);
  if (program === 'uvx') return pypi(named ?? plain[0]);
  if (program === 'pipx' && isRun(['run'])) return pypi(named ?? plain[1]);
  if (program === 'uv' && isRun(['tool', 'run', 'x']))
    return pypi(named ?? plain[plain[0] === 'tool' ? 2 : 1]);
  if (['docker', 'podman'].includes(program ?? '') && isRun(['run'])) {
    const [image = '', digest] = (plain[1] ?? '').split('@');
    const tag = /:([^/:]+)$/.exec(image)?.[1];
    return image === ''
      ? undefined
      : { ecosystem: 'docker', name: image.replace(/:[^/:]+$/, ''), version: digest ?? tag };
  }
  return undefined;
}

const secretShape =
  /^(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)/;
const secretName = /(?:key|token|secret|passw|credential|auth)/i;
const isReference = (value: string) =>
  /^\$\{?[\w:.-]+\}?$|^<[^>]+>$|^(?:your|xxx|changeme|placeholder|todo|example)/i.test(value);

const location = (path: string | undefined, line: number | undefined) =>
  path === undefined
    ? {}
    : { location: { path, ...(line !== undefined && { startLine: line, endLine: line }) } };

/** What one definition alone says, without connecting. */
export function configFindings(
  server: string,
  config: ServerConfig,
  at: { path?: string; line?: number } = {},
): Observation[] {
  const found: Observation[] = [];
  const add = (each: Omit<Observation, 'confidence' | 'tags' | 'subject'> & Partial<Observation>) =>
    found.push({
      confidence: 'high',
      tags: ['configuration'],
      subject: server,
      ...location(at.path, at.line),
      ...each,
    });
  const launched = packageOf(config);
  const isPinned =
    launched?.version !== undefined &&
    !['latest', 'next', 'main', 'canary', 'beta'].includes(launched.version) &&
    (launched.ecosystem === 'docker'
      ? /^sha256:/.test(launched.version)
      : /^[=v]?\d+\.\d+/.test(launched.version));
  if (launched !== undefined && !isPinned)
    add({
      rule: 'config-unpinned-package',
      title: 'The server is started from a package without a fixed version',
      description: `${server} runs ${launched.name}${launched.version === undefined ? '' : `@${launched.version}`}, whatever its publisher last released: a new release runs at the next start, unseen.`,
      severity:
        launched.ecosystem === 'docker' && launched.version !== undefined && launched.version !== 'latest'
          ? 'low'
          : 'medium',
      evidence: launched.name,
      remedy: `Name the version that was looked at, such as ${launched.ecosystem === 'PyPI' ? `${launched.name}==1.2.3` : launched.ecosystem === 'docker' ? `${launched.name}@sha256:…` : `${launched.name}@1.2.3`}.`,
      frameworks: [
        { framework: 'cwe', id: 'CWE-1357' },
        { framework: 'owasp-mcp', id: 'MCP04:2025' },
      ],
    });
  if (config.url?.startsWith('http://') === true && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(config.url))
    add({
      rule: 'config-plain-http',
      title: 'The server is reached without encryption',
      description: `${server} is reached by http://: whoever is on the way reads and changes tools, calls and credentials.`,
      severity: 'medium',
      remedy: 'Use the https:// address of the server.',
      frameworks: [{ framework: 'cwe', id: 'CWE-319' }],
    });
  const held = Object.entries({ ...config.env, ...config.headers });
  for (const [name, value] of held)
    if (
      !isReference(value) &&
      (secretShape.test(value) || (secretName.test(name) && value.length >= 16 && /\d/.test(value)))
    )
      add({
        rule: 'config-secret',
        title: 'A secret stands in the configuration',
        description: `'${name}' of ${server} holds a secret in plain text; whoever reads the file has it.`,
        severity: 'medium',
        evidence: name,
        remedy:
          'Refer to a variable of the environment or to the client’s secret storage, and replace this secret.',
        frameworks: [
          { framework: 'cwe', id: 'CWE-798' },
          { framework: 'owasp-mcp', id: 'MCP01:2025' },
        ],
      });
  const line = [config.command ?? '', ...config.args].join(' ');
  if (
    /\b(?:curl|wget)\b[^|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/.test(line) ||
    /\b(?:iwr|irm)\b[^|]*\|\s*iex\b/i.test(line)
  )
    add({
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
  if (
    launched?.ecosystem === 'docker' &&
    config.args.some(
      (arg) => arg === '--privileged' || /docker\.sock/.test(arg) || /^(?:\/|\/root|\/home):/.test(arg),
    )
  )
    add({
      rule: 'config-container-escape',
      title: 'The container is given the machine',
      description: `${server} runs in a container with the rights of the host (--privileged, the docker socket or the root folder).`,
      severity: 'high',
      evidence: line.slice(0, 200),
      remedy:
        'Mount only the folders that the server needs, without --privileged and without the docker socket.',
      frameworks: [{ framework: 'cwe', id: 'CWE-250' }],
    });
  return found;
}
