/** One weakness is one finding, however many places show it: the others are named with it. */
import type { Location, Observation } from '#findings/finding.ts';
import { bySeverity } from '#findings/severity.ts';

/** How many further places one finding names. */
const mostPlaces = 50;

/** Where what was built out of the source lies: what is mended is the source. */
const isBuilt = (path: string): boolean => /(?:^|\/)(?:dist|build|out|lib|cjs|esm|bundle)\//.test(path);

const nowhere: Location = { path: '', startLine: 0 };

/** By place, but what was built behind its source. */
function byPlace(a: Location, b: Location): number {
  const difference = Number(isBuilt(a.path)) - Number(isBuilt(b.path));
  if (difference !== 0) return difference;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.startLine ?? 0) - (b.startLine ?? 0);
}

/** Worst first, then where it is mended. */
const order = (a: Observation, b: Observation): number =>
  bySeverity(a.severity, b.severity) || byPlace(a.location ?? nowhere, b.location ?? nowhere);

/** With further places of the same weakness. */
export function withPlaces(observation: Observation, places: readonly Location[]): Observation {
  const all = [...(observation.otherPlaces ?? []), ...places];
  return all.length === 0 ? observation : { ...observation, otherPlaces: all.slice(0, mostPlaces) };
}

/** The first of several observations of one weakness, with the places of the others. */
function folded(observations: readonly Observation[]): Observation[] {
  const [first, ...others] = observations.toSorted(order);
  if (first === undefined) return [];
  const places = others.flatMap(({ location, otherPlaces = [] }) => [
    ...(location === undefined ? [] : [location]),
    ...otherPlaces,
  ]);
  return [withPlaces(first, places)];
}

/** Observations of one key become one; those without a key stay as they are. The order stays, too. */
function foldBy(
  observations: readonly Observation[],
  keyOf: (observation: Observation) => string | undefined,
): Observation[] {
  const groups = new Map<string, Observation[]>();
  for (const [at, observation] of observations.entries()) {
    const key = keyOf(observation) ?? `\0${at}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [observation]);
    else group.push(observation);
  }
  return [...groups.values()].flatMap(folded);
}

/** Code as it is apart from how compilers and formatters write it. */
const bare = (code: string): string =>
  code
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/\(0, ?([\w.]+)\)/g, '$1')
    .replaceAll(/\bimport_\w+\.|\b\w+_\d+\.(?=[A-Za-z])/g, '')
    .replaceAll(/\b(?:const|let|var)\b/g, 'let')
    .replaceAll(/["'`]/g, "'")
    .replaceAll(/[\s;,]+/g, '');

/** Less is alike by chance. */
const leastCode = 40;

const roots: ReadonlySet<string> = new Set(['src', 'dist', 'build', 'out', 'lib', 'cjs', 'esm', 'bundle']);

/** `commands/scene` of `src/cli/commands/scene.ts` and of `dist/cli/commands/scene.js`; `scene` of `dist/scene.js` */
const tailOf = (path: string): string =>
  path
    .replace(/\.[^./]+$/, '')
    .split('/')
    .filter((part) => !roots.has(part))
    .slice(-2)
    .join('/');

/** The line that an observation is about, without those around. */
function lineOf({ location, flow }: Observation): string {
  const lines = (location?.snippet ?? '').split('\n');
  // The lines around are as many as there are, at most three.
  const before = Math.min(3, (location?.startLine ?? 1) - 1);
  return `${lines[before] ?? ''}${flow?.at(-1)?.text ?? ''}`;
}

/** Files that say of a folder that it is a package. */
export const manifests =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** Tells which package of a project a path lies in, by the manifests there are; those of built folders are none. */
export function packagesOf(paths: readonly string[]): (path: string) => string {
  const roots = paths
    .filter((path) => manifests.test(path) && !isBuilt(path))
    .map((path) => path.slice(0, path.lastIndexOf('/') + 1))
    .toSorted((a, b) => b.length - a.length);
  return (path) => roots.find((root) => path.startsWith(root)) ?? '';
}

/**
 * The same place of a file that a package has twice: as its author wrote it and as it was built, or built twice. Within
 * one file nothing is a copy.
 */
export function foldCopies(
  observations: readonly Observation[],
  packageOf: (path: string) => string,
): Observation[] {
  const taken = new Set<string>();
  const once = (parts: readonly string[], path: string): string | undefined => {
    const key = [...parts, packageOf(path)].join('\0');
    const inFile = `${key}\0${path}`;
    if (taken.has(inFile)) return undefined;
    taken.add(inFile);
    return key;
  };
  const byCode = foldBy(observations, ({ rule, subject = '', location }) => {
    const code = bare(location?.snippet ?? '');
    if (location === undefined || code.length < leastCode) return undefined;
    return once([rule, subject, code], location.path);
  });
  taken.clear();
  return foldBy(byCode, (observation) => {
    const { rule, subject = '', location } = observation;
    const code = bare(lineOf(observation));
    if (location === undefined || code.length < leastCode / 2) return undefined;
    return once([rule, subject, tailOf(location.path), code], location.path);
  });
}

/** One finding for each server, of rules that speak of the server as a whole. */
export function foldByServer(
  observations: readonly Observation[],
  packageOf: (path: string) => string,
  isOfServer: (rule: string) => boolean,
): Observation[] {
  return foldBy(observations, ({ rule, location, severity }) =>
    isOfServer(rule) && location !== undefined
      ? [rule, packageOf(location.path), severity].join('\0')
      : undefined,
  );
}

/** Fewer of them are findings of their own. */
const mostSurpassed = 4;

/** What many tools let in that another one of the server asks for is one decision. */
export function foldSurpassed(
  observations: readonly Observation[],
  packageOf: (path: string) => string,
): Observation[] {
  const keyOf = ({ rule, location, tags }: Observation): string | undefined =>
    tags.includes('surpassed') && location !== undefined
      ? [rule, packageOf(location.path)].join('\0')
      : undefined;
  const sizes = Map.groupBy(observations, keyOf);
  return foldBy(observations, (each) => {
    const key = keyOf(each);
    return key !== undefined && (sizes.get(key)?.length ?? 0) > mostSurpassed ? key : undefined;
  });
}

/** How a value that gets to many places is known again: by its first steps. */
interface Spread {
  steps: number;
  /** Fewer places are findings of their own. */
  from: number;
}

/** A tool that is there for it is one decision, wherever its author makes use of it. */
const ofCapability: Spread = { steps: 2, from: 4 };
const ofWeakness: Spread = { steps: 4, from: 8 };

function keyOfValue({ rule, subject = '', severity, tags, flow = [] }: Observation): string | undefined {
  if (!tags.includes('kind:taint')) return undefined;
  const { steps } = tags.includes('capability') ? ofCapability : ofWeakness;
  // The last step is the place itself.
  if (flow.length <= steps) return undefined;
  const way = flow
    .slice(0, steps)
    .map(({ location: { path, startLine, startColumn } }) => `${path}:${startLine}:${startColumn}`);
  return [rule, subject, severity, ...way].join('\0');
}

/** One value that gets to many places, such as a server's address that a request sets, is mended where it comes from. */
export function foldByValue(observations: readonly Observation[]): Observation[] {
  const sizes = new Map<string, number>();
  for (const observation of observations) {
    const key = keyOfValue(observation);
    if (key !== undefined) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const keyOfMany = (observation: Observation): string | undefined => {
    const key = keyOfValue(observation);
    const { from } = observation.tags.includes('capability') ? ofCapability : ofWeakness;
    return key !== undefined && (sizes.get(key) ?? 0) >= from ? key : undefined;
  };
  const sorted = observations.toSorted(order);
  const first = new Map(sorted.toReversed().map((each) => [keyOfMany(each), each]));
  const said = sorted.map((each): Observation => {
    const key = keyOfMany(each);
    if (key === undefined || first.get(key) !== each) return each;
    const others = (sizes.get(key) ?? 1) - 1;
    return { ...each, description: `${each.description} The same value gets to ${others} further places.` };
  });
  return foldBy(said, keyOfMany);
}
