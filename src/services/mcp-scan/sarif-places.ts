/** Where findings without a place in a file are shown in SARIF: code scanning drops results without one. */
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Finding, Location } from '#findings/finding.ts';

/** A name as one part of a path. */
const partOf = (name: string): string => {
  const part = name
    .toWellFormed()
    .replaceAll(/[\\/]+/g, '_')
    .slice(0, 200);
  return /^\.*$/.test(part) ? 'server' : part;
};

/**
 * A path that names no file, and is the same in each scan of the server: readers take no addresses of other schemes. They
 * want a line.
 */
export const placeAtServer = (server: string, { subject }: Finding): Location => ({
  path: ['mcp-servers', partOf(server), ...(subject === undefined ? [] : [partOf(subject)])].join('/'),
  startLine: 1,
});

/** A server as a configuration names it. */
export interface ConfigurationEntry {
  name: string;
  /** Of the configuration. */
  path: string;
  line: number;
}

/** A file as code scanning knows it: from the folder of the run, where it lies there. */
function pathFromHere(path: string): string {
  const way = relative(process.cwd(), resolve(path));
  return way === '' || way.startsWith('..') || isAbsolute(way) ? basename(path) : way.replaceAll(sep, '/');
}

const speaksOf = (subject: string, name: string) =>
  subject === name || subject.startsWith(`${name}, `) || subject.startsWith(`${name}.`);

/**
 * Findings of the servers of a configuration, each at the line of its server.
 * @param server whose scan found it; undefined for what several do together
 */
export function placeInConfiguration(
  entries: readonly ConfigurationEntry[],
  server: string | undefined,
  { subject = '' }: Finding,
): Location | undefined {
  const entry =
    entries.find(({ name }) => name === server) ??
    entries.find(({ name }) => speaksOf(subject, name)) ??
    entries[0];
  return entry && { path: pathFromHere(entry.path), startLine: entry.line };
}

/** A finding that stands in the configuration, with the path of that from here. */
export function withPathFromHere(entries: readonly ConfigurationEntry[], finding: Finding): Finding {
  const { location } = finding;
  const entry = entries.find(({ path }) => location?.path === basename(path));
  return location === undefined || entry === undefined
    ? finding
    : { ...finding, location: { ...location, path: pathFromHere(entry.path) } };
}
