/** Conditions and needs of a sentence as tests: limits, times, yeses of people, and what has to be on record. */
import type { Expression } from '../../rule-form.ts';
import type { Thing } from '../../predicates/thing.ts';
import { root, textWords } from '../../../actions/words.ts';
import { keysOf, type Limit, limitTest, readLimits } from './limits.ts';
import { readMoments } from './moments.ts';
import { tellingIn } from './named-words.ts';

export const allOf = (all: readonly Expression[]): Expression | undefined =>
  all.length === 0 ? undefined : all.length === 1 ? all[0] : { all };
export const anyOf = (all: readonly Expression[]): Expression | undefined =>
  all.length === 0 ? undefined : all.length === 1 ? all[0] : { any: all };

const consent =
  /\b(?:approv\w*|sign(?:ed|s)?[- ]?off|signature|signatures|consent\w*|permission|authori[sz]\w*|agree[sd]?|agreed|agreement|green light|okay|ok|clearance|released? by|countersign\w*|say[- ]so|go[- ]ahead|decision|decides?|blessing)\b/;
const byWhom =
  /\b(?:by|from|of)\s+(?:the |a |an |our |my |your |their |two |both )*([a-z' -]{2,40}?)(?:$|,|\band\b|\bor\b|\bin\b|\bon\b|\bfor\b|\bhas\b|\bhave\b)|\b(?:the |a |an |our |my )?([a-z-]{2,20}(?: [a-z-]{2,20})?)'s?\s+(?:\w+ )?(?:approval|sign|consent|permission|authori|agreement|decision|signature|okay|ok|yes|go)/;
const noWho = /^(?:written|prior|explicit|express|it|them|this|that|these|charge|course|date|day)$/;

/** Whose yes is asked for; empty where it is anybody's. */
export function approversIn(text: string): string[] {
  const found = byWhom.exec(text);
  const who = (found?.[1] ?? found?.[2] ?? '').trim();
  return who === '' || noWho.test(who) ? [] : [who];
}

export const isConsent = (text: string): boolean => consent.test(text);

/** Things by their words, one for each item of a list. */
export function namesIn(text: string): Thing[] {
  return text
    .split(/,|\b(?:and|or|nor)\b|"/)
    .map((part) => tellingIn(part.replace(/^\s*(?:to|for|by|from|in|on|at|via|through|with|within|inside|into|during|of|the|a|an|our)\b/g, '')))
    .filter((words) => words.length > 0)
    .map((words) => ({ words: words.slice(0, 4) }));
}

/** A condition of a rule ("if the amount is over 500"): limits and times as they are said, else what is on record. */
export function conditionOf(text: string): Expression | undefined {
  const { limits, rest } = readLimits(text);
  const { tests, rest: left } = readMoments(rest);
  const measures = limits.map((one): Expression => limitTest(one, 'said', tellingIn(left).slice(0, 3)));
  if (measures.length > 0 || tests.length > 0) return allOf([...measures, ...tests]);
  return recordOf(left);
}

/** "Has been verified", "there is a receipt", "is not insured". */
function recordOf(text: string): Expression | undefined {
  const isDenied = /\b(?:not|no|never|without|nobody|lacks?)\b/.test(text);
  const words = tellingIn(text).slice(0, 6);
  if (words.length === 0) return undefined;
  const positive: Expression = { is: 'on_record', words };
  return isDenied ? { not: positive } : positive;
}

type IsOwn = (word: string) => boolean;

/** Who or where says little of what is so. */
const parties = new Set(
  'user customer client person people conversation session call same employee party patient member guest case file ticket way hand'
    .split(' ')
    .map(root),
);
const isParty = (word: string) => parties.has(root(word));

/** "Two editors have read it", "both signatures". */
const countShape = /^(?:the )?(two|three|four|five|\d+) (?!of\b|days?\b|hours?\b|weeks?\b|months?\b)([a-z-]{3,})/;

function needItem(text: string, isOwn: IsOwn): Expression | undefined {
  const counted = countShape.exec(text);
  const { limits, rest } = readLimits(counted === null ? text : text.replace(countShape, 'at least $1 $2'));
  const { tests, rest: left } = readMoments(rest);
  const all = tellingIn(left);
  const own = all.filter(isOwn);
  const words = own.length > 0 ? own : all;
  const measures = limits
    .filter((one: Limit) => keysOf(one).length === 0)
    .map((one): Expression => limitTest(one, 'said', words.slice(0, 3)));
  if (measures.length > 0 || tests.length > 0) return allOf([...measures, ...tests]);
  if (isConsent(left)) {
    const by = approversIn(left);
    const record: Expression = { is: 'on_record', words: words.slice(0, 6) };
    const checked: Expression = { is: 'approval', ...(by.length > 0 && { by }), from: 'checked' };
    return words.length === 0 ? checked : { any: [checked, record] };
  }
  return words.length === 0 ? undefined : { is: 'on_record', words: words.slice(0, 6) };
}

/** What has to be so before a call may go on: parts joined by "and" each, by "or" one of them. */
export function needOf(text: string, scope: readonly string[] = []): Expression | undefined {
  const roots = new Set(scope.flatMap((name) => name.split(' ')).map(root));
  const isOwn: IsOwn = (word) => !roots.has(root(word)) && !isParty(word);
  const plain = text.replace(/^(?:that|there (?:is|are)|you have|we have|it has|they have)\s+/, '').replace(/\b(?:both|either)\b\s*/g, '');
  const isEither = /\bor\b/.test(plain);
  const parts = plain
    .split(isEither ? /,|\bor\b/ : /\band\b|,\s*(?=[a-z]+\b)/)
    .map((one) => one.trim())
    .filter((one) => textWords(one).length > 0);
  const items = parts.flatMap((part) => needItem(part, isOwn) ?? []);
  return isEither ? anyOf(items) : allOf(items);
}
