/** Whom the thing concerns that the user spoke of: the buyer of an order, the guest in a room. */
import type { Call } from '../calls/call.ts';
import { unnamedDestinations } from '../calls/destinations.ts';
import { placeOf } from '../calls/entities.ts';
import { type Leaf, leavesOf, outputText } from '../calls/leaves.ts';
import { once } from '../calls/once.ts';
import { namesRole } from '../calls/party-roles.ts';
import { holdsSecret } from '../calls/sensitive.ts';
import { mayBeStructured, parsedOutput } from '../instructions/prose.ts';
import { namesValue, type Request } from './request.ts';
import type { EvaluationContext } from './evaluation-context.ts';

const said =
  /amount|price|currency|reason|note|message|body|text|status|state|type|count|quantity|date|time|subject|template|kind/i;
const shortest = 3;

/** Whether the user gave this very id: digits are in it, and it stands in their words in one piece. */
const isNamedId = ({ ids }: Request, text: string): boolean =>
  text.length >= shortest && /\d/.test(text) && ids.includes(text.toLowerCase().replace(/^#/, ''));

/** Fields that hold what somebody has written. */
const written =
  /note|message|body|text|comment|description|content|subject|title|reason|remark|memo|review|bio/i;
const mostSteps = 60;
const longestAnswer = 20_000;
const mostFields = 200;
const longest = 80;

/**
 * Values that stand in the records of what the user named, and in records that were looked up by one of those: ids of
 * whom and what it concerns. What was written into a text is none of them.
 */
const concernedIn = once((context: EvaluationContext): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { leaves, step, effects } of context.earlier.slice(-mostSteps)) {
    if (outputText(step.toolOutput).length > longestAnswer) continue;
    const isTold = leaves.some(({ text }) => isNamed(context.request, text) || isId(text, found));
    const value = isTold || effects.has('write') ? parsedOutput(step.toolOutput) : undefined;
    if (value === undefined) continue;
    for (const { key, text } of leavesOf(value).slice(0, mostFields)) {
      // What a step was given it may give back: only what is new in its answer is of a record.
      const isGiven = !isTold && leaves.some((leaf) => leaf.text === text);
      if (isGiven || written.test(key) || !isValue(text)) continue;
      found.add(text.toLowerCase());
      found.add(placeOf(text));
    }
  }
  return found;
});

/** Whether there may be records among the answers: without one nothing is concerned. */
const hasRecords = ({ earlier }: EvaluationContext): boolean =>
  earlier.some(({ step }) => mayBeStructured(step.toolOutput));

const isValue = (text: string) => text.length >= shortest && text.length <= longest && !text.includes(' ');

const isId = (text: string, known: ReadonlySet<string>) =>
  text.length >= shortest && /[\d@]/.test(text) && known.has(text.toLowerCase());

const isNamed = (request: Request, text: string) =>
  isNamedId(request, text) ||
  (text.length >= shortest && text.length <= longest && namesValue(request, text));

const changing = ['write', 'pay', 'delete', 'grant', 'execute'] as const;

/** Something was done: there is something to tell. */
const hasActed = ({ earlier }: EvaluationContext): boolean =>
  earlier.some(({ effects }) => changing.some((effect) => effects.has(effect)));

const quantities = /amount|price|total|fee|count|quantity|qty|limit|page|year|date|time|days|zip|phone/i;

/** It sets or writes down something of the very thing that the user named, or of what its record names. */
export function isOfNamed(context: EvaluationContext): boolean {
  const { call, request } = context;
  if (![...call.effects].every((effect) => effect === 'write' || effect === 'read')) return false;
  const ids = call.leaves.filter(
    ({ key, text }) => !quantities.test(key) && /\d/.test(text) && !text.includes(' '),
  );
  if (ids.some(({ text }) => isNamedId(request, text))) return true;
  const concerned = ids.length === 0 ? undefined : concernedIn(context);
  return (
    concerned !== undefined &&
    ids.some(({ text }) => isId(text, concerned)) &&
    !hasToldValue(context, concerned)
  );
}

/** A value stands in a text that somebody wrote, and in no record of what the user named. */
const hasToldValue = (context: EvaluationContext, concerned: ReadonlySet<string>): boolean =>
  context.call.leaves.some(({ text }) => {
    const lower = text.toLowerCase();
    return (
      text.length > shortest &&
      !concerned.has(lower) &&
      !namesValue(context.request, text) &&
      context.outputs().some(({ prose }) => prose.toLowerCase().includes(lower))
    );
  });

/** An argument that may be an id or an address, and not what the call says of it. */
const mayName = ({ key, text }: Leaf): boolean =>
  text.length >= shortest && /[\d@]/.test(text) && !said.test(key);

/** It says something to somebody, and changes nothing else than a record. */
const onlyTells = ({ effects }: Call): boolean =>
  effects.has('egress') && !changing.some((effect) => effect !== 'write' && effects.has(effect));

/**
 * The call tells those whom the thing concerns that the user spoke of how it went: it names that thing or them as its
 * record does, and goes to nobody else. No sentence in an output asked for it, and no secret is in it.
 */
export const tellsParty = once((context: EvaluationContext): boolean => {
  const { call, request } = context;
  if (!onlyTells(call)) return false;
  const naming = call.leaves.filter(mayName);
  const isGiven = naming.some(({ text }) => isNamedId(request, text));
  // What earlier calls did is worked out only where a value may name something.
  if (naming.length === 0 || (!isGiven && !hasRecords(context))) return false;
  if (!hasActed(context) || call.leaves.some(({ text }) => holdsSecret(text))) return false;
  const concerned = concernedIn(context);
  const names = isGiven || naming.some(({ text }) => isId(text, concerned));
  const strangers = unnamedDestinations(context).some(
    ({ value }) => !namesRole(value) && !concerned.has(value),
  );
  return names && !strangers && (context.followed()?.score ?? 0) < 1;
});
