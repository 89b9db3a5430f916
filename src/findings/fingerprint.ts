import { createHash } from 'node:crypto';
import type { Finding, Observation } from './finding.ts';

/** Where an observation stands among its equals: what is behind is later. */
const order = ({ location }: Observation): [number, number] => [
  location?.startLine ?? 0,
  location?.startColumn ?? 0,
];

/** The same code in the same words: spaces, line ends and indentation do not count. */
const normalised = (code: string): string => code.replaceAll(/\s+/g, ' ').trim();

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/**
 * Gives each observation a fingerprint that stays when lines move: of the rule, the path, the subject, and the words
 * of its context, as `primaryLocationLineHash` of SARIF's partial fingerprints does it. Equal ones in one file are
 * told apart by their order, so that one of them can be fixed.
 *
 * @param contextOf the code around, such as the whole function, or the line; the location's snippet unless given.
 */
export function withFingerprints(
  observations: readonly Observation[],
  contextOf: (observation: Observation) => string | undefined = ({ location }) => location?.snippet,
): Finding[] {
  const keyed = observations.map((observation, at) => {
    const { rule, location, subject, evidence, title } = observation;
    const context = contextOf(observation) ?? evidence ?? title;
    return { observation, at, key: hash([rule, location?.path ?? '', subject ?? '', normalised(context)]) };
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
