/** Whom the thing concerns that the user spoke of: the buyer of an order, the guest in a room. */
import { unnamedDestinations } from '../calls/destinations.ts';
import { leavesOf } from '../calls/leaves.ts';
import { holdsSecret } from '../calls/sensitive.ts';
import { parsedOutput } from '../instructions/prose.ts';
import { namesValue, type Request } from './request.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { isRecordedContact } from './contacts.ts';

/** Whoever the record itself says it is. */
const roles =
  /^(?:the[ _])?(?:customer|client|buyer|guest|passenger|traveller|traveler|patient|requester|reporter|subscriber|tenant|member|recipient|contact|account[ _]holder)(?:[ _]on[ _](?:the[ _])?[a-z]+)?$/;

/** `to: customer`: a role, and no address. */
export const namesRole = (value: string): boolean => roles.test(value);

const said =
  /amount|price|currency|reason|note|message|body|text|status|state|type|count|quantity|date|time|subject|template|kind/i;
const shortest = 3;

/** Whether the user gave this very id: digits are in it, and it stands in their words in one piece. */
const isNamedId = ({ ids }: Request, text: string): boolean =>
  text.length >= shortest && /\d/.test(text) && ids.includes(text.toLowerCase().replace(/^#/, ''));

const mostFields = 200;
const longest = 80;

/**
 * Values that stand in the records of what the user named, and in records that were looked up by one of those: ids of
 * whom and what it concerns. What was written into a text is none of them.
 */
function concernedIn(context: EvaluationContext): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { leaves, step, effects } of context.earlier) {
    const isTold = leaves.some(({ text }) => isNamed(context.request, text) || isId(text, found));
    const value = isTold || effects.has('write') ? parsedOutput(step.toolOutput) : undefined;
    if (value === undefined) continue;
    for (const { text } of leavesOf(value).slice(0, mostFields))
      if (text.length >= shortest && text.length <= longest && !text.includes(' '))
        found.add(text.toLowerCase());
  }
  return found;
}

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

/**
 * The call tells those whom the thing concerns that the user spoke of how it went: it names that thing or them as its
 * record does, and goes to nobody else. No sentence in an output asked for it, and no secret is in it.
 */
export function tellsParty(context: EvaluationContext): boolean {
  const { call, request } = context;
  if (
    !call.effects.has('egress') ||
    changing.some((effect) => effect !== 'write' && call.effects.has(effect))
  )
    return false;
  if (!hasActed(context) || call.leaves.some(({ text }) => holdsSecret(text))) return false;
  const concerned = concernedIn(context);
  const names = call.leaves.some(
    ({ key, text }) => !said.test(key) && (isNamedId(request, text) || isId(text, concerned)),
  );
  const strangers = unnamedDestinations(context).some(
    ({ value }) => !namesRole(value) && !concerned.has(value) && !isRecordedContact(context, value),
  );
  return names && !strangers && (context.followed()?.score ?? 0) < 1;
}
