/** Whether a call has nothing to do with what the user asked for. */
import { destinationsOf } from '../calls/destinations.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Fact, quote, unsure, yes } from './fact.ts';
import { mayBeLed, mayHaveAsked, writtenValue } from './influence.ts';
import { isOfNamed, tellsParty } from './parties.ts';
import { asksFor, namesValue } from './request.ts';
import { sharesSubject } from './subject.ts';

const acting = new Set(['egress', 'pay', 'delete', 'grant', 'authenticate', 'write', 'execute']);

/** What reaches others or cannot be taken back. */
const grave = ['egress', 'pay', 'delete', 'grant'] as const;

/** Who is to mend something runs tests and builds on the way. */
const isMeansTo = ({ call, request }: EvaluationContext): boolean =>
  call.effects.has('execute') &&
  [...call.effects].every((effect) => effect === 'execute' || effect === 'read') &&
  ['update', 'write', 'create', 'commit'].some((sense) => request.senses.has(sense));

/** An address or a name with digits that somebody has written into a text, and that the call has from there. */
const takenFromProse = (context: EvaluationContext): string | undefined =>
  writtenValue(
    context,
    ({ lower, distinct }) =>
      lower.length >= 5 && (distinct || (/\d/.test(lower) && /\p{L}/u.test(lower) && !/\s/.test(lower))),
  );

/** What seems to have nothing to do with the task may be a part of it all the same; that is dearer to tell. */
export function offTask(context: EvaluationContext): Fact | undefined {
  const found = seemsOffTask(context);
  return found !== undefined && (isOfNamed(context) || tellsParty(context)) ? undefined : found;
}

/** The request asks for it, or cannot be read and nothing speaks to the agent. */
const isExcused = (context: EvaluationContext): boolean => {
  const { call, request } = context;
  return (
    mayHaveAsked(context) ||
    request.delegation === 'open' ||
    asksFor(request, call.senses) ||
    isMeansTo(context)
  );
};

function seemsOffTask(context: EvaluationContext): Fact | undefined {
  const { call, request } = context;
  if (call.toolName === '' || ![...call.effects].some((effect) => acting.has(effect))) return undefined;
  if (isExcused(context)) return undefined;
  const taken = grave.some((effect) => call.effects.has(effect)) ? takenFromProse(context) : undefined;
  if (taken !== undefined)
    return yes(
      isDetour(context) ? unsure : 0.8,
      `Nobody asked for ${call.toolName}, and ${quote(taken)} stands in what a tool answered.`,
    );
  if (sharesSubject(call, request)) return undefined;
  const named = destinationsOf(call).some(({ value }) => namesValue(request, value));
  if (named) return undefined;
  return yes(isDetour(context) ? unsure : 0.75, `Nothing in the user's request asks for ${call.toolName}.`);
}

/** An agent finds out on its way what a task takes, and nothing that it read spoke to it. */
const isDetour = (context: EvaluationContext): boolean => mayBeLed(context) === undefined;
