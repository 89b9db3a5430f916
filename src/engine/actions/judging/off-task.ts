/** Whether a call has nothing to do with what the user asked for. */
import { isPureRead } from '../calls/call.ts';
import { destinationsOf } from '../calls/destinations.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Fact, quote, unsure, yes } from './fact.ts';
import { isForbidden } from './forbidden.ts';
import { mayBeLed, mayHaveAsked, writtenValue } from './influence.ts';
import { otherRecord } from './other-record.ts';
import { isOfNamed, tellsParty } from './parties.ts';
import { asksFor, asksNearly, namesValue } from './request.ts';
import { effectsOf } from '../verbs.ts';
import { sharesSubject } from './subject.ts';
import { toldFile } from './loud-passages.ts';
import { toldBy } from './told-act.ts';

const acting = new Set(['egress', 'pay', 'delete', 'grant', 'authenticate', 'write', 'execute']);

/** What reaches others or cannot be taken back. */
const grave = ['egress', 'pay', 'delete', 'grant'] as const;

/** Who is to mend something runs tests and builds on the way, and commits what it has changed. */
const isMeansTo = (context: EvaluationContext): boolean => {
  const { call, request } = context;
  const isMending = ['update', 'write', 'create', 'commit', 'deploy', 'install'].some((sense) =>
    request.senses.has(sense),
  );
  if (!isMending) return false;
  const runs =
    call.effects.has('execute') &&
    [...call.effects].every((effect) => effect === 'execute' || effect === 'read');
  return runs || isCommitOfOwn(context);
};

/** A change of the agent's own is committed, and pushed to where the repository already goes. */
const isCommitOfOwn = ({ call, earlier }: EvaluationContext): boolean =>
  call.senses.has('commit') &&
  [...call.senses].every((sense) => committing.has(sense)) &&
  destinationsOf(call).length === 0 &&
  earlier.some(({ senses }) => senses.has('update') || senses.has('write'));
const committing = new Set(['commit', 'share', 'execute', 'read', 'verify']);

/** An address or a name with digits that somebody has written into a text, and that the call has from there. */
const takenFromProse = (context: EvaluationContext): string | undefined =>
  writtenValue(
    context,
    ({ lower, distinct }) =>
      lower.length >= 5 && (distinct || (/\d/.test(lower) && /\p{L}/u.test(lower) && !/\s/.test(lower))),
  );

/** What seems to have nothing to do with the task may be a part of it all the same; that is dearer to tell. */
export function offTask(context: EvaluationContext): Fact | undefined {
  if (!isPureRead(context.call) && isForbidden(context)) return yes(0.9, 'The user has said not to do this.');
  const other = grave.some((effect) => context.call.effects.has(effect)) ? otherRecord(context) : undefined;
  if (other !== undefined && mayBeLed(context) !== undefined)
    return yes(0.8, `The user named ${quote(other[0])}, and the call is about ${quote(other[1])}.`);
  const file = context.call.effects.has('egress') ? toldFile(context) : undefined;
  if (file !== undefined)
    return yes(0.8, `The user did not name ${quote(file)}; a text that was read tells to send it.`);
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

const isLook = (sense: string): boolean => effectsOf(sense).every((effect) => effect === 'read');

const isUnasked = (context: EvaluationContext): boolean => {
  const { call, request } = context;
  if (call.toolName === '' || request.text === '') return false;
  const acts = call.effects.size === 0 || [...call.effects].some((effect) => acting.has(effect));
  if (!acts || request.delegation === 'open' || isMeansTo(context)) return false;
  // Of words that we cannot read, those that ask for an act may ask for any.
  if (request.isUnread && call.senses.size === 0 && [...request.senses].some((sense) => !isLook(sense)))
    return false;
  return request.onlyAsks || !asksNearly(request, call.senses);
};

function seemsOffTask(context: EvaluationContext): Fact | undefined {
  const { call, request } = context;
  const told = isUnasked(context) ? toldBy(context) : undefined;
  if (told !== undefined)
    return yes(0.8, `Nobody asked for ${call.toolName}, and what was read speaks of it: ${quote(told)}.`);
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
const isDetour = (context: EvaluationContext): boolean =>
  mayBeLed(context) === undefined ||
  (context.earlier.length === 0 && !grave.some((effect) => context.call.effects.has(effect)));
