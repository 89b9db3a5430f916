import type { Draft, SentDraft } from './draft.ts';
import { isRight, isSettled, type CaseResult } from './case-result.ts';
import type { TestCase } from '../../library/test-cases/test-case.ts';

/** Variants of the policy that are tried with all cases. */
const mostTried = 6;
/** Of all cases together, once for each variant: it takes about two seconds. */
const mostCharacters = 200_000;
const mostSuggested = 3;
/** As long as an activity that a person would write. */
const activityCharacters = 300;
/** The most activities of each kind that a policy can have. */
const mostActivities = 100;

/** An activity that could be added. */
export interface Candidate {
  readonly list: 'blockActivities' | 'safeActivities';
  readonly activity: string;
}

export interface Suggestion extends Candidate {
  /** Cases that come right with it, or are no longer near the threshold. */
  readonly fixes: readonly number[];
  /** Cases that come out wrong with it. */
  readonly breaks: readonly number[];
}

/**
 * The texts of cases that are wrong, then of those that are hardly right, as activities: what violates is to be blocked,
 * what does not is to be allowed.
 */
export function candidatesFor(
  policy: SentDraft,
  cases: readonly TestCase[],
  results: readonly CaseResult[],
): Candidate[] {
  const open = cases
    .flatMap((testCase, i) => {
      const result = results[i];
      return result === undefined || isSettled(result) ? [] : [{ testCase, result }];
    })
    .toSorted((a, b) => Number(isRight(a.result)) - Number(isRight(b.result)));
  const found = open.flatMap(({ testCase: { text, violates } }) => {
    const list = violates ? ('blockActivities' as const) : ('safeActivities' as const);
    const activity = activityOf(text);
    const isNew = activity !== '' && !policy[list].includes(activity) && policy[list].length < mostActivities;
    return isNew ? [{ list, activity }] : [];
  });
  const characters = cases.reduce((sum, { text }) => sum + text.length, 0);
  return [...new Map(found.map((each) => [`${each.list} ${each.activity}`, each])).values()].slice(
    0,
    Math.min(mostTried, Math.floor(mostCharacters / characters)),
  );
}

/** The draft with one more activity. */
export const withActivity = (
  draft: Draft,
  { blockActivities, safeActivities }: SentDraft,
  { list, activity }: Candidate,
) =>
  draft.withFields(
    list === 'blockActivities'
      ? { blockActivities: [...blockActivities, activity] }
      : { safeActivities: [...safeActivities, activity] },
  );

/**
 * Those that do more good than harm, the best first.
 * @param tried each candidate with the results of all cases
 */
export const bestOf = (
  results: readonly CaseResult[],
  tried: readonly { readonly candidate: Candidate; readonly results: readonly CaseResult[] }[],
): Suggestion[] =>
  tried
    .map(({ candidate, results: after }) => ({ ...candidate, ...comparison(results, after) }))
    .filter(({ fixes, breaks }) => fixes.length > breaks.length)
    .toSorted((a, b) => b.fixes.length - b.breaks.length - (a.fixes.length - a.breaks.length))
    .slice(0, mostSuggested);

function comparison(before: readonly CaseResult[], after: readonly CaseResult[]) {
  const fixes: number[] = [];
  const breaks: number[] = [];
  for (const [i, was] of before.entries()) {
    const is = after[i];
    if (is === undefined) continue;
    const isBetter = isRight(was) ? isSettled(is) : isRight(is);
    if (!isSettled(was) && isBetter) fixes.push(i);
    if (isRight(was) && !isRight(is)) breaks.push(i);
  }
  return { fixes, breaks };
}

/** One line of the text, cut at a word. */
function activityOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= activityCharacters) return line;
  return line
    .slice(0, activityCharacters)
    .replace(/\s\S*$/, '')
    .toWellFormed();
}
