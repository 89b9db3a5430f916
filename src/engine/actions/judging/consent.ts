import { isDestinationKey, unnamedDestinations } from '../calls/destinations.ts';
import { once } from '../calls/once.ts';
import { isForbidden } from './forbidden.ts';
import { mayHaveAsked } from './influence.ts';
import { asksFor, namesValue } from './request.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { sharesSubject, sharesTopic } from './subject.ts';
import { effectsOf } from '../verbs.ts';
import { sameThings } from '../things.ts';
import { nameWords, root, textWords } from '../words.ts';

const yesShape =
  /^\W*(?:yes|yep|yeah|sure|ok|okay|confirmed|confirm|go ahead|proceed|please do|do it|approved|approve|i agree|agreed|correct|that works|sounds good|absolutely|i confirm|fine)\b/i;
const grantShape =
  /\b(?:(?:i|we|has|have|was|is|been|already) (?:hereby )?(?:approve|approved|authori[sz]e|authori[sz]ed|confirm|confirmed|consent|consented|agree|agreed|allow|permit|signed off)|approved by|authori[sz]ed by|approval (?:from|by|of|granted|received|is)|with (?:the )?(?:approval|permission|consent)|go ahead|you have my (?:permission|approval|consent)|signed off|approved it|(?:is|it's|that's) (?:ok|okay|fine) (?:from|by|with|for) (?:my side|me|us))\b|\b[a-z]{2,} (?:has |have |already |just )*(?:approved|authori[sz]ed|okayed|green-?lit|cleared|consented to|agreed to|confirmed)\b(?! (?:vendor|supplier|list|mirror|domain|tool|app|account|recipient|address))|\b(?:gave|given|has given|have given|got) (?:me |us |it |its |their |his |her |the |a |an )*(?:full )?(?:ok|okay|approval|go[- ]ahead|green light|consent|permission|sign-?off|blessing)\b/i;
const refusal =
  /\b(?:not|never|no|n't|without|didn't|hasn't|pending|waiting|denied|refused|rejected)\b.{0,25}\b(?:approv|authori|confirm|consent|agree|permission|sign)/i;

const approvalTool = /approv|authori[sz]|confirm|consent|sign_?off|permission/i;
const denied = /\b(?:denied|rejected|refused|declined|pending|false|not approved|no response|expired)\b/i;

/** Those for whom the agent works and who talk to it: their yes stands in the trace, in words of their own. */
export const speakers: ReadonlySet<string> = new Set([
  'user',
  'customer',
  'client',
  'requester',
  'patient',
  'passenger',
  'guest',
  'holder',
  'traveller',
  'traveler',
  'buyer',
  'shopper',
  'caller',
  'subscriber',
  'tenant',
  'borrower',
  'resident',
  'rider',
]);

/** Roles that the one who talks to the agent has. */
const theUser = new Set([...speakers, 'human', 'person', 'approver']);

function speaksOf(text: string, by: readonly string[]): boolean {
  const people = by.filter((person) => !theUser.has(person));
  if (people.length === 0) return true;
  const words = new Set(textWords(text).map(root));
  // "Team lead", "team_lead": all words of one of them.
  return people.some((person) => textWords(person).every((word) => words.has(root(word))));
}

const roleClaim =
  /\b(?:i am|i'm|i’m|this is|speaking as|speaking,? as|acting as|as) (?:the |a |an |your |our )?((?:[a-z-]+ ){0,3}[a-z-]+)/gi;

/** "I am the on-call engineer": who speaks has the role that may. */
const claimsRole = (text: string, by: readonly string[]): boolean =>
  [...text.matchAll(roleClaim)].some(([, who = '']) => speaksOf(who, by));

/** "I am the manager and I approve": who asks and says yes to it themselves. */
const namesSelf = /\bI (?:hereby |also )?(?:approve|authori[sz]e|confirm|consent|allow|permit|agree|sign)\b/i;

function userSaysYes(context: EvaluationContext, by: readonly string[]): boolean {
  const outsider = by.length > 0 && !by.some((person) => theUser.has(person));
  return context.steps.some(({ role, content }, at) => {
    if (role !== 'user' || content === undefined) return false;
    const text = content.slice(0, 4000);
    if (refusal.test(text)) return false;
    const answers = at > 0 && context.steps[at - 1]?.role === 'agent';
    if (!outsider && answers && yesShape.test(text)) return true;
    if (outsider && claimsRole(text, by)) return !namesSelf.test(text);
    return grantShape.test(text) && speaksOf(text, by);
  });
}

/** An approval on record: an earlier approval tool that was not refused, or an argument that names it. */
function onRecord(context: EvaluationContext, by: readonly string[]): boolean {
  const asked = context.earlier.some(({ toolName, step, leaves }) => {
    if (!approvalTool.test(toolName)) return false;
    const answer =
      typeof step.toolOutput === 'string'
        ? step.toolOutput
        : JSON.stringify(step.toolOutput ?? '').slice(0, 2000);
    if (denied.test(answer)) return false;
    return (
      speaksOf(
        `${toolName.replaceAll('_', ' ')} ${answer} ${leaves.map(({ text }) => text.slice(0, 200)).join(' ')}`,
        by,
      ) || by.length === 0
    );
  });
  return asked;
}

/** Whether somebody of those named (anybody where none is) said yes to it, in the trace. */
export function hasApproval(
  context: EvaluationContext,
  { by, explicit }: { by: readonly string[]; explicit: boolean },
): boolean {
  if (userSaysYes(context, by) || onRecord(context, by)) return true;
  const theirs = by.some((person) => theUser.has(person)) || (by.length === 0 && explicit);
  return theirs && !isForbidden(context) && asksThis(context, explicit);
}

const repeatsUser = ({ call, request }: EvaluationContext): boolean =>
  call.leaves.some(
    ({ text }) => text.length >= 3 && text.length < 200 && request.lower.includes(text.toLowerCase()),
  );

const shortestWord = 4;
const maintaining = ['update', 'install', 'deploy', 'restart', 'execute', 'enable'];

/**
 * "Cert for wiki.example expires, renew": a command line is how it is done, and what it does stands in its words. Two of
 * them are the user's. What destroys, or was only asked about, is none.
 */
function namesCommand({ call, request }: EvaluationContext): boolean {
  const isPlain = [...call.commands.facts].every((fact) => fact === 'privileged_command');
  if (!call.effects.has('execute') || !isPlain || call.senses.has('delete') || request.onlyAsks) return false;
  const own = call.commands.words
    .flatMap((word) => nameWords(word))
    .filter((word) => word.length >= shortestWord);
  const shared = new Set(own.map(root).filter((word) => request.roots.has(word))).size;
  return shared >= 2 || (shared === 1 && maintaining.some((sense) => request.senses.has(sense)));
}

/** The user's own request is a yes; where a confirmation is wanted, only with every number and address in it. */
function asksThis(context: EvaluationContext, explicit: boolean): boolean {
  const { request, call } = context;
  if (!explicit && namesCommand(context)) return (context.followed()?.score ?? 0) < 1;
  // Of words that we cannot read, those that the call repeats.
  if (request.isUnread) return request.text !== '' && repeatsUser(context) && isAsked(context);
  const asked = [...call.senses].some((sense) => request.senses.has(sense));
  if (!asked || !isAsked(context) || !sharesSubject(context.call, context.request)) return false;
  return (
    !explicit ||
    context.call.leaves.every(
      ({ text, number, key }) =>
        /id$/i.test(key) ||
        (number === undefined && !isDestinationKey(key)) ||
        namesValue(context.request, text),
    )
  );
}

const speaksOfOne = ({ request, call }: EvaluationContext, things: readonly string[]): boolean =>
  things.some((word) => [...sameThings(word)].some((same) => request.roots.has(same))) ||
  call.leaves.some(
    ({ text }) => text.length >= 3 && text.length < 200 && request.lower.includes(text.toLowerCase()),
  );

/** Of "download and run" the running: what only fetches is a means, and having asked for that is no asking for more. */
function actingSenses({ call }: EvaluationContext): readonly string[] {
  const senses = [...call.senses];
  const acting = senses.filter(
    (sense) => sense !== 'download' && effectsOf(sense).some((effect) => effect !== 'read'),
  );
  return acting.length > 0 ? acting : senses;
}

/** Acts that nobody leaves to a content without a word about them, where they reach somebody. */
const grave = ['pay', 'buy', 'grant', 'impersonate', 'login'];

const isHanded = (context: EvaluationContext) =>
  context.request.delegation === 'open' &&
  !(grave.some((sense) => context.call.senses.has(sense)) && unnamedDestinations(context).length > 0);

const needsToAct = (context: EvaluationContext) =>
  isHanded(context) || asksFor(context.request, actingSenses(context));

const needsToRead = (context: EvaluationContext, about: readonly string[]) =>
  about.length === 0 || speaksOfOne(context, about) || sharesTopic(context.call, context.request);

/**
 * The user's words ask for this act; what only reads is a means to what was asked, unless an output asked for it. Where
 * no word of the user's can be read, as behind a gateway, nobody can say that they did not ask.
 */
export const isAsked = (context: EvaluationContext, about: readonly string[] = []): boolean =>
  about.length === 0 ? isAskedAtAll(context) : isAskedAbout(context, about);

/** Most rules that ask it name nothing. */
const isAskedAtAll = once((context: EvaluationContext): boolean => isAskedAbout(context, []));

function isAskedAbout(context: EvaluationContext, about: readonly string[]): boolean {
  if (isForbidden(context)) return false;
  const reads = context.call.effects.size === 1 && context.call.effects.has('read');
  if (!mayHaveAsked(context) && !(reads ? needsToRead(context, about) : needsToAct(context))) return false;
  const follow = context.followed();
  return follow === undefined || follow.score < 1;
}
