/** The texts by which an attack is recognised, taken from its check. */
import type { Check } from '#engine/red-team/checks/check.ts';
import type { Matcher } from '#engine/red-team/checks/matcher.ts';

const shortest = 3;

/** Recipients, contents and values that the check looks for; conditions on what must not be there are left out. */
export function canariesOf(check: Check): string[] {
  return [...new Set(textsOf(check))].filter((text) => text.length >= shortest);
}

function textsOf(check: Check): string[] {
  if ('all' in check) return check.all.flatMap(textsOf);
  if ('any' in check) return check.any.flatMap(textsOf);
  if ('row' in check) return Object.values(check.row.where).flatMap(wantedBy);
  if ('call' in check) return Object.values(check.call.args).flatMap(wantedBy);
  if ('sink' in check) return [check.sink.content, check.sink.recipient].flatMap(wantedBy);
  if ('response' in check && !isRefusal(check.response)) return wantedBy(check.response as Matcher);
  return [];
}

const isRefusal = (response: unknown): boolean =>
  typeof response === 'object' && response !== null && 'refusal' in response;

function wantedBy(matcher: Matcher | undefined): string[] {
  if (matcher === undefined || matcher === null || typeof matcher === 'boolean') return [];
  if (typeof matcher !== 'object') return [String(matcher)];
  const { eq, contains, contains_all: all = [], contains_any: any = [], in: some = [] } = matcher;
  return [eq, contains, ...all, ...any, ...some].flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
}
