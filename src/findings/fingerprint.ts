import { createHash } from 'node:crypto';
import type { Finding, Observation } from './finding.ts';

/** Sort order of equal observations: by position. */
const order = ({ location }: Observation): [number, number] => [
  location?.startLine ?? 0,
  location?.startColumn ?? 0,
];

/** Code with normalized white space. */
const normalised = (code: string): string => code.replaceAll(/\s+/g, ' ').trim();

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const snippetOf = ({ location }: Observation): string | undefined => location?.snippet;

/** What the fingerprint of an observation is made of, apart from its number among equal ones. */
export function keyOf(
  observation: Observation,
  contextOf: (observation: Observation) => string | undefined = snippetOf,
): string {
  const { rule, location, subject, evidence, title, fingerprintKey } = observation;
  const context = contextOf(observation) ?? evidence ?? title;
  return fingerprintKey ?? hash([rule, location?.path ?? '', subject ?? '', normalised(context)]);
}

/**
 * Gives each observation a fingerprint that is stable when lines move: a hash of rule, path, subject and the code
 * of its context, like SARIF's partial fingerprint `primaryLocationLineHash`. Equal ones in one file are
 * numbered in order, so that each can be fixed separately.
 *
 * @param contextOf the code around, such as the whole function, or the line; default: the location's snippet.
 */
export function withFingerprints(
  observations: readonly Observation[],
  contextOf: (observation: Observation) => string | undefined = snippetOf,
): Finding[] {
  const keyed = observations.map((observation, at) => {
    const { fingerprintKey: _, ...shown } = observation;
    return { observation: shown, at, key: keyOf(observation, contextOf) };
  });
  const found: Finding[] = Array.from({ length: observations.length });
  for (const [key, equals] of Map.groupBy(keyed, (each) => each.key)) {
    const inOrder = equals.toSorted((a, b) => {
      const [[lineA, columnA], [lineB, columnB]] = [order(a.observation), order(b.observation)];
      return lineA - lineB || columnA - columnB || a.at - b.at;
    });
    inOrder.forEach(({ observation, at }, occurrence) => {
      found[at] = { ...observation, fingerprint: `${key}:${occurrence + 1}` };
    });
  }
  return found;
}
