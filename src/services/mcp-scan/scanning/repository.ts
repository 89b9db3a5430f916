/** A public repository: from its address and a revision to a commit (git's smart HTTP), and to an archive of that commit. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '#base/errors.ts';
import { readLimited, type Outbound, type OutboundAnswer, type OutboundRequest } from '#base/net/outbound.ts';
import { ScanFailure } from './scan-project.ts';

export interface Repository {
  /** Without `.git` and a slash at its end. */
  url: string;
  /** `owner/name`. */
  name: string;
}

/** Where archives of a host come from besides itself. */
const archiveHosts: Readonly<Record<string, readonly string[]>> = { 'github.com': ['codeload.github.com'] };

/** Hosts that are scanned, with the protocol of each. */
function originsOf(hosts: readonly string[]): Map<string, string> {
  const urls = hosts
    .map((host) => (/^https?:\/\//.test(host) ? host : `https://${host}`))
    .filter((each) => URL.canParse(each));
  return new Map(urls.map((each) => [new URL(each).host, new URL(each).protocol]));
}

/** The host whose repositories the leaderboard names without it; undefined where none is scanned. */
export const firstHost = (hosts: readonly string[]): string | undefined => [...originsOf(hosts).keys()][0];

const isName = (part: string) => /^[\w.~-]+$/.test(part) && part !== '.' && part !== '..';

/**
 * Checks the address of a repository.
 * @throws AppError 422
 */
export function readRepositoryUrl(given: string, hosts: readonly string[]): Repository {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid(
      "'github_url' must be the https:// address of a repository, such as https://github.com/owner/name.",
    );
  if (url.username !== '' || url.password !== '')
    throw invalid(
      "'github_url' must not carry a user name or a token: only public repositories are scanned.",
    );
  const allowed = originsOf(hosts);
  const protocol = allowed.get(url.host);
  if (protocol === undefined)
    throw invalid(
      `'github_url' names the host ${url.host}, which is not among those that are scanned (${[...allowed.keys()].join(', ')}). The operator adds hosts with mcp_scan.repository_hosts.`,
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const parts = path.split('/').slice(1);
  const isRepository = url.hostname === 'github.com' ? parts.length === 2 : parts.length >= 2;
  if (!isRepository || !parts.every(isName))
    throw invalid(
      "'github_url' must name a repository: its address is https://host/owner/name, and nothing behind it.",
    );
  return {
    url: `${protocol === 'http:' ? url.protocol : 'https:'}//${url.host}${path}`,
    name: parts.join('/'),
  };
}

const mostRefBytes = 32 * 1024 * 1024;
const headTimeoutMs = 30_000;

/** The lines of git's packet format; undefined stands for a flush or delimiter. */
function* packets(bytes: string): Generator<string | undefined> {
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = Number.parseInt(bytes.slice(at, at + 4), 16);
    if (Number.isNaN(length))
      throw new ScanFailure('The host answered something that is not git’s smart HTTP protocol.');
    if (length < 4) {
      yield undefined;
      at += 4;
    } else {
      yield bytes.slice(at + 4, at + length).replace(/\n$/, '');
      at += length;
    }
  }
}

const packet = (line: string) => `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;

interface Refs {
  byName: Map<string, string>;
  head: string | undefined;
}

function addRef(refs: Refs, line: string): void {
  const [, sha, name, rest = ''] = /^([0-9a-f]{40}) (\S+)(.*)$/.exec(line.split('\0')[0] ?? '') ?? [];
  if (sha === undefined || name === undefined) return;
  const peeled = /peeled:([0-9a-f]{40})/.exec(rest)?.[1];
  if (name === 'HEAD') refs.head = sha;
  // The line of an annotated tag's commit ends with ^{}.
  refs.byName.set(name.replace(/\^\{\}$/, ''), peeled ?? sha);
}

export interface RepositoryAccess {
  outbound: Outbound;
  hosts: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Whether a redirect may be followed: to hosts that are scanned too, and to where their archives are. */
function mayFollow(next: URL, hosts: readonly string[]): boolean {
  const allowed = originsOf(hosts);
  const isBeside = [...allowed.keys()].some((host) => archiveHosts[host]?.includes(next.host));
  if (isBeside) return next.protocol === 'https:';
  return allowed.has(next.host) && (next.protocol === 'https:' || allowed.get(next.host) === 'http:');
}

const mostRedirects = 4;

async function ask(
  url: string,
  access: RepositoryAccess,
  options: OutboundRequest = {},
): Promise<OutboundAnswer> {
  const { outbound, hosts, signal } = access;
  let target = url;
  for (let left = mostRedirects; left >= 0; left -= 1) {
    const answer = await outbound.request(target, { headTimeoutMs, ...options, ...(signal && { signal }) });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || typeof location !== 'string') return answer;
    answer.body.destroy();
    const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
    if (next === undefined || !mayFollow(next, hosts))
      throw new ScanFailure(
        `The host redirects to ${next?.host ?? 'an address that cannot be read'}, which is not among those that are scanned.`,
      );
    target = next.href;
  }
  throw new ScanFailure('The host redirects too often.');
}

async function textOf(answer: OutboundAnswer, what: string): Promise<string> {
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    answer.body.destroy();
    throw new ScanFailure('There is no such public repository.');
  }
  if (answer.status !== 200) {
    answer.body.destroy();
    throw new ScanFailure(`The host answered ${answer.status} for ${what}.`);
  }
  return readLimited(answer.body, mostRefBytes);
}

async function listRefs({ url }: Repository, revision: string, access: RepositoryAccess): Promise<Refs> {
  const refs: Refs = { byName: new Map(), head: undefined };
  const version = { 'git-protocol': 'version=2', accept: '*/*', 'user-agent': 'git/bulwark' };
  const found = await ask(`${url}.git/info/refs?service=git-upload-pack`, access, { headers: version });
  const lines = [...packets(await textOf(found, 'the list of branches'))];
  if (!lines.includes('version 2')) {
    for (const line of lines) if (line !== undefined) addRef(refs, line);
    return refs;
  }
  const wanted =
    revision === '' ? ['HEAD'] : ['HEAD', `refs/heads/${revision}`, `refs/tags/${revision}`, revision];
  const body = `${packet('command=ls-refs')}0001${packet('peel')}${packet('symrefs')}${wanted.map((prefix) => packet(`ref-prefix ${prefix}`)).join('')}0000`;
  const listed = await ask(`${url}.git/git-upload-pack`, access, {
    method: 'POST',
    body,
    headers: {
      ...version,
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
    },
  });
  for (const line of packets(await textOf(listed, 'the list of branches')))
    if (line !== undefined) addRef(refs, line);
  return refs;
}

const explained = (error: unknown): never => {
  if (error instanceof AppError) throw new ScanFailure(error.message, { cause: error });
  throw error;
};

export interface Resolved {
  commit: string;
  /** Whether the default branch is at that commit; a commit that was given as such is not looked for. */
  isHead: boolean;
}

/** The commit that a branch, tag or commit stands for. @throws ScanFailure where there is none */
export async function resolveRevision(
  repository: Repository,
  revision: string,
  access: RepositoryAccess,
): Promise<Resolved> {
  if (/^[0-9a-f]{40}$/i.test(revision)) return { commit: revision.toLowerCase(), isHead: false };
  const refs = await listRefs(repository, revision, access).catch(explained);
  const { byName, head } = refs;
  const found =
    revision === ''
      ? head
      : (byName.get(`refs/heads/${revision}`) ?? byName.get(`refs/tags/${revision}`) ?? byName.get(revision));
  if (found !== undefined) return { commit: found, isHead: found === head };
  throw new ScanFailure(
    revision === ''
      ? 'The repository is empty.'
      : `The repository has no branch, tag or commit “${revision}”.${/^[0-9a-f]{4,39}$/i.test(revision) ? ' Give all 40 characters of a commit.' : ''}`,
  );
}

/** Writes the archive of a commit into a file. @throws ScanFailure */
export async function fetchArchive(
  { url, name }: Repository,
  commit: string,
  file: string,
  { limitBytes, ...access }: RepositoryAccess & { limitBytes: number },
): Promise<void> {
  const last = name.split('/').at(-1) ?? 'source';
  // As GitHub, Gitea and Forgejo have them, then as GitLab does.
  const places = [`${url}/archive/${commit}.tar.gz`, `${url}/-/archive/${commit}/${last}-${commit}.tar.gz`];
  for (const place of places) {
    const answer = await ask(place, access).catch(explained);
    if (answer.status !== 200) {
      answer.body.destroy();
      continue;
    }
    let size = 0;
    await pipeline(
      answer.body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > limitBytes)
            throw new ScanFailure(`The repository is larger than ${limitBytes} bytes as an archive.`);
          yield chunk;
        }
      },
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
    return;
  }
  throw new ScanFailure(`The host has no archive of the commit ${commit}.`);
}
