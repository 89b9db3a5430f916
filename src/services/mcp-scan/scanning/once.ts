import type { Observation } from '#findings/finding.ts';
import { keyOf } from '#findings/fingerprint.ts';

const placeOf = ({ rule, location }: Observation): string =>
  JSON.stringify([rule, location?.path, location?.startLine]);

/** Observations of two looks at the same files, each rule and place once; those of the first look know more. */
export function eachOnce(first: readonly Observation[], second: readonly Observation[]): Observation[] {
  const known = new Set(first.map(placeOf));
  return [...first, ...second.filter((each) => each.location === undefined || !known.has(placeOf(each)))];
}

const poisoning = 'tool-poisoning';

const codesOf = ({ tags }: Observation): string[] =>
  tags.flatMap((tag) => (tag.startsWith('code:') ? [tag.slice('code:'.length)] : []));

/** Whether the judge of descriptions and the rule of the source speak of the same words. */
const isOfSameTool = (judged: Observation, { subject, location }: Observation): boolean =>
  judged.subject === subject && judged.location?.path === location?.path;

/** The issue that the rule of the source stands for: an order to the model, where there is one among the rest. */
function causeOf(found: Observation, judged: readonly Observation[]): Observation | undefined {
  const codes = new Set(codesOf(found));
  const own = judged.filter((each) => codes.has(each.rule) && isOfSameTool(each, found));
  return own.find(({ rule }) => rule.startsWith('E')) ?? own[0];
}

/** The issue keeps its code and its fingerprint, so that what was decided about it holds; the words have the place. */
const withPlaceOf = (issue: Observation, { location, otherPlaces }: Observation): Observation => ({
  ...issue,
  description: `${issue.description} The source rule ${poisoning} says the same.`,
  fingerprintKey: keyOf(issue),
  tags: [...issue.tags, `rule:${poisoning}`],
  ...(location !== undefined && { location }),
  ...(otherPlaces !== undefined && { otherPlaces }),
});

/** Whether an issue is that of a copy, which stands among the further places of another. */
const isCopyOf =
  (copy: Observation) =>
  ({ rule, subject, otherPlaces = [] }: Observation): boolean =>
    copy.rule === rule &&
    copy.subject === subject &&
    otherPlaces.some(({ path }) => path === copy.location?.path);

/**
 * What the source says and what the judge says of the tools in it, where one poisoned description is one finding: the
 * issue, under the code that it has for running servers too, at the words that the rule of the source found.
 */
export function poisoningOnce(
  ofSource: readonly Observation[],
  judged: readonly Observation[],
): Observation[] {
  const placed = new Map<Observation, Observation>();
  const others = ofSource.filter((found) => {
    const cause = found.rule === poisoning ? causeOf(found, judged) : undefined;
    if (cause === undefined || placed.has(cause)) return true;
    placed.set(cause, withPlaceOf(cause, found));
    return false;
  });
  const once = [...placed.values()];
  const left = judged.filter((each) => placed.has(each) || !once.some(isCopyOf(each)));
  return [...others, ...left.map((each) => placed.get(each) ?? each)];
}
