import type { Catalogue } from './catalogue.ts';
import type { Matcher } from './matcher.ts';
import { fileNameOf, type TelemetryEvent } from './telemetry.ts';
import { splitCommandLine } from './command-line.ts';

const privateAddress =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:|fe80:|0\.0\.0\.0$)/i;

/** Whether the address is of the internet. */
const isPublicAddress = (ip: string): boolean => ip !== '' && !privateAddress.test(ip);

const withoutExe = (name: string) => name.toLowerCase().replace(/\.exe$/, '');

/**
 * What an event is a sign of, taken by itself. `archive` and `egress` are for {@link sessionsOf}, which tells the two in
 * a row.
 */
export function createTagger(catalogue: Catalogue, matcher: Matcher): (event: TelemetryEvent) => string[] {
  const { lists } = catalogue;
  const set = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  const [sensitive, profiles, shells] = [
    set(lists.sensitive_files),
    set(lists.shell_profiles),
    set(lists.shells),
  ];
  const [compilers, archivers, downloaders] = [
    set(lists.compilers),
    set(lists.archivers),
    set(lists.downloaders),
  ];
  const tlds = set(lists.suspicious_tlds);
  const ports = new Set(catalogue.rules.flatMap(({ match }) => match.listen_ports ?? []));
  const has = (text: string, parts: readonly string[]) => parts.some((part) => text.includes(part));

  const isSource = (path: string) =>
    lists.source_suffixes.some((suffix) => path.endsWith(suffix)) && !path.includes('/node_modules/');

  function ofProcess({ process: { image = '', commandLine = '' } }: TelemetryEvent): string[] {
    const name = withoutExe(fileNameOf(image));
    const words = splitCommandLine(commandLine);
    const found = matcher.matchProcess(image, commandLine);
    return present([
      ['autonomy.unsafe_bypass', found !== undefined && hasFlag(words, found.rule.autonomy_flags ?? [])],
      ['mcp.server_started', found?.rule.category === 'MCP_RUNTIME'],
      ['execution.shell', shells.has(name)],
      ['build.compile', compilers.has(name) || builds.test(`${name} ${words[1] ?? ''}`)],
      ['archive', archivers.has(name)],
      ['ingress.tool_transfer', downloaders.has(name) || isInstall(name, words)],
      ['vcs.push', isPush(name, words)],
      ['impact.delete', deletes(name, words)],
    ]);
  }

  function ofFile({ filePath = '', action = '' }: TelemetryEvent): string[] {
    const path = filePath.replaceAll('\\', '/').toLowerCase();
    const name = fileNameOf(path);
    const writes = !/^(?:read|open)/i.test(action);
    const isProfile = profiles.has(name);
    const tags: string[] = [];
    if (sensitive.has(name) && !(writes && isProfile)) tags.push('credential.read');
    if (!writes) return tags;
    if (isProfile) tags.push('persistence.shell_profile');
    if (has(path, lists.autostart_paths)) tags.push('persistence.autostart');
    if (has(path, lists.agent_config_paths) && !has(path, lists.agent_config_noise))
      tags.push('agent_config.modified');
    if (isSource(path)) tags.push('code.modified');
    return tags;
  }

  function ofNetwork({ dimension, host, ip = '', port, inbound }: TelemetryEvent): string[] {
    const tags = host === undefined ? [] : ofHost(host);
    const isPublic = isPublicAddress(ip);
    if (inbound === true) {
      if (isPublic && port !== undefined && ports.has(port)) tags.push('exposure.local_inference');
    } else if (dimension === 'network' && (isPublic || (ip === '' && host !== undefined)))
      tags.push('egress');
    return tags;
  }

  function ofHost(host: string): string[] {
    const tags: string[] = [];
    if (matcher.findProvider(host) !== undefined) tags.push('network.ai_provider');
    if (tlds.has(tldOf(host))) tags.push('network.suspicious_tld');
    return tags;
  }

  return (event) => {
    if (event.dimension === 'process') return ofProcess(event);
    return event.dimension === 'file' ? ofFile(event) : ofNetwork(event);
  };
}

const present = (signs: readonly (readonly [tag: string, isThere: boolean])[]): string[] =>
  signs.flatMap(([tag, isThere]) => (isThere ? [tag] : []));

const builds = /^(?:go|cargo|dotnet) build\b/;

/** Empty for a name without a dot. */
const tldOf = (host: string): string => (host.includes('.') ? host.slice(host.lastIndexOf('.') + 1) : '');

/** Whether the flag, or the flag and its value, stands among the words. */
const hasFlag = (words: readonly string[], flags: readonly string[]): boolean =>
  flags.some((flag) => {
    const [name = '', value] = flag.split(' ');
    return words.some((word, i) => word === name && (value === undefined || words[i + 1] === value));
  });

const isInstall = (name: string, words: readonly string[]): boolean =>
  /^(?:npx|uvx|bunx|pipx)(?:\.cmd)?$/.test(name) || (/^pip[0-9.]*$/.test(name) && words[1] === 'install');

const isPush = (name: string, words: readonly string[]): boolean =>
  (name === 'git' && words.slice(1).find((word) => !word.startsWith('-')) === 'push') ||
  (name === 'gh' && words[1] === 'pr' && words[2] === 'create');

function deletes(name: string, words: readonly string[]): boolean {
  if (name === 'rm') return words.some((word) => /^-[a-qs-z]*r[a-z]*$/i.test(word) || word === '--recursive');
  const line = words.join(' ').toLowerCase();
  if (name === 'powershell' || name === 'pwsh') return /\bremove-item\b.{0,2000}\s-recurse\b/.test(line);
  return name === 'cmd' && /\b(?:del|rd|rmdir)\b.{0,2000}\s\/s\b/.test(line);
}
