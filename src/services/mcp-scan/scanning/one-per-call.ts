/** One finding for each dangerous call of a tool, where several rules, or several ways to it, tell of the same weakness. */
import type { FrameworkRef, Location, Observation } from '#findings/finding.ts';
import { bySeverity, confidences } from '#findings/severity.ts';

/**
 * Rules that are about what a program is started with, the most specific first: who chooses the program chooses all that a
 * shell and an option could do.
 */
const startsProgram: readonly string[] = ['chosen-program', 'command-injection', 'argument-injection'];

const keyOfPlace = ({ path, startLine = 0, startColumn = 0 }: Location) =>
  `${path}:${startLine}:${startColumn}`;

/** The call that an observation ends at, and the tool that leads there; undefined for one that has no place. */
function callOf({ rule, location, flow = [], subject = '', tags }: Observation): string | undefined {
  if (!startsProgram.includes(rule) || location === undefined || !tags.includes('kind:taint'))
    return undefined;
  const end = flow.findLast(({ role }) => role === 'sink')?.location ?? location;
  return `${keyOfPlace(end)} ${subject}`;
}

const worstFirst = (a: Observation, b: Observation): number =>
  bySeverity(a.severity, b.severity) ||
  confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
  startsProgram.indexOf(a.rule) - startsProgram.indexOf(b.rule) ||
  (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);

function distinct<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** The worst of them, with the places, rules and framework entries of the others. */
function joined(same: readonly Observation[]): Observation {
  const [worst, ...others] = same.toSorted(worstFirst) as [Observation, ...Observation[]];
  const own = worst.location && keyOfPlace(worst.location);
  const places = [
    ...(worst.otherPlaces ?? []),
    ...others.flatMap(({ location, otherPlaces = [] }) => [...(location ? [location] : []), ...otherPlaces]),
  ];
  const otherPlaces = distinct(places, keyOfPlace).filter((place) => keyOfPlace(place) !== own);
  const also = distinct(others, ({ rule }) => rule).filter(({ rule }) => rule !== worst.rule);
  const refs: FrameworkRef[] = distinct(
    same.flatMap(({ frameworks }) => [...frameworks]),
    ({ framework, id }) => `${framework} ${id}`,
  );
  return {
    ...worst,
    description:
      worst.description +
      (also.length === 0
        ? ''
        : ` The same call is also: ${also.map(({ title, rule }) => `${title} (${rule})`).join('; ')}.`),
    ...(otherPlaces.length > 0 && { otherPlaces }),
    tags: [...worst.tags, ...also.map(({ rule }) => `also:${rule}`)],
    frameworks: refs,
  };
}

/** Observations of source, each program start of a tool once. */
export function onePerCall(observations: readonly Observation[]): Observation[] {
  const byCall = Map.groupBy(observations, callOf);
  const told = new Set<string>();
  return observations.flatMap((each) => {
    const call = callOf(each);
    if (call === undefined) return [each];
    if (told.has(call)) return [];
    told.add(call);
    const same = byCall.get(call) ?? [each];
    return [same.length === 1 ? each : joined(same)];
  });
}
