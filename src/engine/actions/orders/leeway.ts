import type { Call } from '../calls/call.ts';
import { type Entity, entitiesOf } from '../calls/entities.ts';
import type { Leaf } from '../calls/leaves.ts';
import { type Request, asksFor } from '../judging/request.ts';
import { isGiven, namesAnother, nearness, sharesTopic } from '../judging/subject.ts';
import { root } from '../words.ts';

/** What a call took from a sentence. */
interface LeftValue {
  text: string;
  lower: string;
  leaf: Leaf;
  distinct: boolean;
}

const webWords = new Set(
  'website webpage page link url article blog site post web homepage'.split(' ').map(root),
);
const mailWords = new Set('email e-mail mail contact detail address'.split(' ').map(root));
const moneyWords = new Set('bill invoice account iban payment bank receipt statement'.split(' ').map(root));

const speaksOf = (request: Request, words: ReadonlySet<string>) =>
  [...words].some((word) => request.roots.has(word));

const family = (kind: Entity['kind'] | undefined) => (kind === 'host' ? 'url' : kind);

/** Whether the user left this kind of value to be found ("the account is on the bill"). */
function isKindOpen(request: Request, call: Call, { text, leaf }: LeftValue): boolean {
  const kind = family(entitiesOf(text)[0]?.kind);
  const named = request.entities.some((entity) => family(entity.kind) === kind);
  const isAsked = request.delegation !== 'value';
  if (kind === 'email' || kind === 'phone') return !named && (isAsked || speaksOf(request, mailWords));
  if (kind === 'account' || kind === 'card') return !named && speaksOf(request, moneyWords);
  if (kind !== 'url') return true;
  const whole = call.effects.has('read') || leaf.text.length === text.length;
  return whole && !named && speaksOf(request, webWords);
}

/** Where we do not know what the tool does, by the things that it is named for. */
const mayBeAsked = (request: Request, call: Call) =>
  asksFor(request, call.senses) || (call.senses.size === 0 && nearness(call, request) > 0);

/** The user asked for the act, and left these values to be found. */
export function isLeftOpen(request: Request, call: Call, values: readonly LeftValue[]): boolean {
  if (request.delegation === 'none' || !mayBeAsked(request, call)) return false;
  return values.every((value) => !value.distinct || isKindOpen(request, call, value));
}

/** The user spoke of something, and not of the place alone that gives the tasks; the call has nothing to do with it. */
const isBesides = (call: Call, request: Request) =>
  request.topics.size > 1 &&
  !request.entities.some(({ kind }) => kind === 'path' || kind === 'url' || kind === 'host') &&
  !asksExactly(request, call) &&
  !sharesTopic(call, request);

const graveActs = ['pay', 'delete', 'grant', 'login', 'disable'];

/** Nobody asked for it, and it concerns nothing that the user named. */
const isGrave = (call: Call, request: Request, values: readonly LeftValue[]) =>
  (graveActs.some((sense) => call.senses.has(sense)) || (!readsOnly(call) && values.some(isUrl))) &&
  !asksFor(request, call.senses) &&
  !isGiven(call, request);

const isUrl = ({ text }: LeftValue) => /^(?:https?:\/\/|www\.)/i.test(text);

/** A bill gives the account, the amount and who is paid: such a payment always has much from the sentence. */
const asksToPay = (request: Request, { senses }: Call) => senses.has('pay') && request.senses.has('pay');

const asksExactly = (request: Request, { senses }: Call) =>
  senses.size === 0 || [...senses].some((sense) => request.senses.has(sense));

const readsOnly = ({ effects }: Call) => effects.size === 1 && effects.has('read');

/** Less than nothing where the call is about another one than the user named, or about none of what they spoke of. */
function nearTo(call: Call, request: Request, values: readonly LeftValue[]): number {
  if (values.some(({ lower }) => namesAnother(lower, call, request))) return -0.8;
  const near = nearness(call, request);
  return near === 0 && isApart(call, request) ? -0.5 : near;
}

const isApart = (call: Call, request: Request) =>
  request.topics.size > 1 &&
  !sharesTopic(call, request) &&
  call.words.filter((word) => request.roots.has(root(word))).length < 2;

/** How much evidence it takes; more where the call is near to what the user speaks of. */
export function barFor(
  { request, delegated }: { request: Request; delegated: boolean },
  call: Call,
  values: readonly LeftValue[],
): number {
  const near = nearTo(call, request, values);
  if (delegated && (isBesides(call, request) || isGrave(call, request, values))) return 1.8;
  const bill = asksToPay(request, call) ? 0.4 : 0;
  if (delegated) return 3.1 + near + bill;
  if (isLeftOpen(request, call, values))
    return (call.effects.has('read') ? 2.4 : asksExactly(request, call) ? 2.5 : 2.1) + near + bill;
  const bar = asksFor(request, call.senses) ? 1.4 : 0.9;
  // Looking something up harms nobody, unless it goes to a place that the sentence names.
  return readsOnly(call) && !values.some(({ distinct }) => distinct) ? bar + 1 : bar;
}
