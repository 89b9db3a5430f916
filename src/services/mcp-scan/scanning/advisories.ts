/** Known vulnerabilities of dependencies, from an OSV server or a copy of its database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArchive } from '#base/archives/read-archive.ts';
import { readLimited, type Outbound } from '#base/net/outbound.ts';
import { affects, advisoryObservation, type Advisory } from '#engine/mcp-servers/dependencies/osv.ts';
import { packageKey, type Package } from '#engine/mcp-servers/dependencies/package.ts';
import type { Observation } from '#findings/finding.ts';
import type { Advisories } from './scan-project.ts';

interface Settings {
  apiUrl: string | undefined;
  /** As osv-scanner keeps it: `osv-scanner/<ecosystem>/all.zip`. */
  dbDir: string | undefined;
  outbound: Outbound;
}

const inBatch = 1000;
const mostAdvisories = 1000;
const answerBytes = 32 * 1024 * 1024;
const detailConcurrency = 8;

/**
 * Versions are needed to say anything. What comes from another host is looked up too: it goes by the name and version of
 * the public package. Packages that lie in the project have names of their own.
 */
const isCheckable = ({ version, source }: Package) => version !== undefined && source?.kind !== 'file';

/** Each package once, the direct ones first. */
const checkable = (packages: readonly Package[]): Package[] => {
  const found = new Map<string, Package>();
  for (const each of [...packages].toSorted((a, b) => Number(b.isDirect) - Number(a.isDirect)))
    if (isCheckable(each) && !found.has(packageKey(each))) found.set(packageKey(each), each);
  return [...found.values()];
};

async function askJson(
  outbound: Outbound,
  url: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const answer = await outbound.request(url, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  });
  const text = await readLimited(answer.body, answerBytes);
  if (answer.status !== 200) throw new Error(`${new URL(url).origin} answered ${answer.status}.`);
  return JSON.parse(text);
}

type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** Ids of advisories, each with the packages that it is about. */
async function affectedBy(packages: readonly Package[], ask: Ask): Promise<Map<string, Package[]>> {
  const affected = new Map<string, Package[]>();
  const add = (id: unknown, each: Package | undefined) => {
    if (each !== undefined && typeof id === 'string') affected.set(id, [...(affected.get(id) ?? []), each]);
  };
  for (let from = 0; from < packages.length; from += inBatch) {
    const batch = packages.slice(from, from + inBatch);
    const queries = batch.map(({ ecosystem, name, version }) => ({ package: { ecosystem, name }, version }));
    const { results = [] } = (await ask('/v1/querybatch', { queries })) as {
      results?: { vulns?: { id: unknown }[] }[];
    };
    for (const [i, { vulns = [] }] of results.entries()) for (const { id } of vulns) add(id, batch[i]);
  }
  return affected;
}

async function byApi(packages: readonly Package[], ask: Ask): Promise<Observation[]> {
  const affected = await affectedBy(packages, ask);
  const ids = [...affected.keys()].slice(0, mostAdvisories);
  const observations: Observation[] = [];
  for (let from = 0; from < ids.length; from += detailConcurrency) {
    const some = ids.slice(from, from + detailConcurrency);
    const details = await Promise.all(
      some.map(async (id) => (await ask(`/v1/vulns/${encodeURIComponent(id)}`)) as Advisory),
    );
    for (const advisory of details)
      for (const each of affected.get(advisory.id) ?? [])
        observations.push(advisoryObservation(each, advisory));
  }
  return observations;
}

/** Each entry of the copy is one advisory; only those that name one of the packages are parsed. */
async function byCopy(packages: readonly Package[], dbDir: string, signal: AbortSignal | undefined) {
  const observations: Observation[] = [];
  const missing: string[] = [];
  for (const [ecosystem, own] of Map.groupBy(packages, (each) => each.ecosystem)) {
    const path = join(dbDir, 'osv-scanner', ecosystem, 'all.zip');
    if (!existsSync(path)) {
      missing.push(ecosystem);
      continue;
    }
    const byName = Map.groupBy(own, ({ name }) => name);
    await readArchive(
      path,
      async ({ kind, content }) => {
        if (kind === 'folder') return;
        const parts: Buffer[] = [];
        for await (const part of content as AsyncIterable<Buffer>) parts.push(part);
        const advisory = JSON.parse(Buffer.concat(parts).toString('utf8')) as Advisory;
        for (const { package: named } of advisory.affected ?? [])
          for (const each of byName.get(named?.name ?? '') ?? [])
            if (named?.ecosystem === ecosystem && affects(advisory, each))
              observations.push(advisoryObservation(each, advisory));
      },
      {
        limits: {
          packedBytes: 4 * 1024 ** 3,
          unpackedBytes: 64 * 1024 ** 3,
          entries: 5_000_000,
          ratio: 1000,
        },
        ...(signal && { signal }),
      },
    );
  }
  return { observations, missing };
}

const entries = (count: number, more: string) =>
  `${count} dependency ${count === 1 ? 'entry' : 'entries'} ${more}`;

/** Which entries are not looked up, and why. */
function leftNotes(packages: readonly Package[]): string[] {
  const left = packages.filter((each) => !isCheckable(each));
  const local = left.filter(({ source }) => source?.kind === 'file').length;
  const unversioned = left.length - local;
  return [
    ...(unversioned > 0 ? [entries(unversioned, 'without a fixed version: not looked up.')] : []),
    ...(local > 0 ? [entries(local, 'from files of the project itself: not looked up.')] : []),
  ];
}

/** Undefined where nothing is configured: then nothing is looked up, and nothing leaves the machine. */
export function openAdvisories({ apiUrl, dbDir, outbound }: Settings): Advisories | undefined {
  if (apiUrl === undefined && dbDir === undefined) return undefined;
  return async (packages, signal) => {
    const wanted = checkable(packages);
    const notes = leftNotes(packages);
    const nothing = { observations: [], checked: 'none' as const, lookedUp: 0 };
    if (wanted.length === 0) return { ...nothing, notes };
    try {
      if (dbDir !== undefined) {
        const { observations, missing } = await byCopy(wanted, dbDir, signal);
        const left = missing.map(
          (each) => `The copy of OSV in ${dbDir} has no ${each}; its packages were not looked up.`,
        );
        const isUnchecked =
          missing.length > 0 && wanted.every(({ ecosystem }) => missing.includes(ecosystem));
        const lookedUp = packages.filter(
          (each) => isCheckable(each) && !missing.includes(each.ecosystem),
        ).length;
        return { observations, checked: isUnchecked ? 'none' : 'db', lookedUp, notes: [...notes, ...left] };
      }
      const base = (apiUrl ?? '').replace(/\/+$/, '');
      const ask: Ask = (path, body) => askJson(outbound, `${base}${path}`, body, signal);
      const lookedUp = packages.filter(isCheckable).length;
      return { observations: await byApi(wanted, ask), checked: 'api', lookedUp, notes };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message.slice(0, 300) : 'it failed';
      return {
        ...nothing,
        notes: [...notes, `Known vulnerabilities could not be looked up: ${reason}`],
      };
    }
  };
}
