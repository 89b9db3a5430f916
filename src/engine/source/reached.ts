/** What else gets to a place than what is told of it: one function often serves many tools. */
import type { Location } from '#findings/finding.ts';
import { locationOf } from './locations.ts';
import type { Report } from './taint/frame.ts';
import type { BuiltPlace, Place } from './taint/taints.ts';

/** The other tools and routes that lead to a place, and where each puts together what it gives there. */
export interface AlsoReached {
  text: string;
  tags: string[];
  places: Location[];
}

/** Whether a place lies in the function that a report is of. */
export const isWithin = ({ module, at }: Place, { module: own, fn }: Report): boolean =>
  module === own && (fn === undefined || (at >= fn.at && at <= fn.end));

/** Whoever calls a function whose callers are not known, and ways that are guessed, are nobody to be named. */
const isCertain = ({ taint: { source }, isMatchedByName }: Report): boolean =>
  isMatchedByName !== true && (source.kind === 'tool' || source.kind === 'http');

const mostNames = 20;

function sentenceOf(nouns: readonly [string, string], names: readonly string[]): string {
  if (names.length === 0) return '';
  const [one, several] = nouns;
  const shown = names.slice(0, mostNames).map((name) => `"${name}"`);
  const left = names.length - shown.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return names.length === 1
    ? ` The ${one} ${shown.join('')} gets there as well.`
    : ` The ${several} ${shown.join(', ')}${more} get there as well.`;
}

/** Names of one kind of entrance, without that which is told already. */
const namesOf = (kind: 'tool' | 'http', own: Report, reports: readonly Report[]): string[] =>
  [
    ...new Set(
      reports
        .map(({ taint: { source } }) => source)
        .filter(({ isForAll, offers }) => isForAll !== true && offers === undefined)
        .filter((source) => source.kind === kind && source.name !== '')
        .map(({ name }) => name),
    ),
  ].filter((name) => own.taint.source.kind !== kind || name !== own.taint.source.name);

/** Places of lists that the function at the end is given; that of a single caller is on the way that is shown. */
function listsOf(reports: readonly Report[]): BuiltPlace[] {
  const places = new Map<string, BuiltPlace>();
  for (const report of reports) {
    const { builtAt } = report.taint;
    if (builtAt?.isList === true && !isWithin(builtAt, report))
      places.set(`${builtAt.module.path}:${builtAt.at}`, builtAt);
  }
  return places.size > 1 ? [...places.values()] : [];
}

/** @param all reports of the same rule at the same place */
export function alsoReached(own: Report, all: readonly Report[]): AlsoReached {
  const reports = isCertain(own) ? all.filter(isCertain) : [];
  const tools = namesOf('tool', own, reports);
  return {
    text:
      sentenceOf(['tool', 'tools'], tools) + sentenceOf(['route', 'routes'], namesOf('http', own, reports)),
    tags: tools.map((name) => `tool:${name}`),
    places: listsOf(reports).map(({ module, at, end }) => locationOf(module, at, end)),
  };
}
