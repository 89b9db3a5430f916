import type { Call } from './call.ts';
import { type Entity, entitiesOf, placeOf } from './entities.ts';
import type { Leaf } from './leaves.ts';
import type { Order } from './orders.ts';
import { type Request, asksFor, namesValue } from './request.ts';
import { areKin } from './verbs.ts';
import { root, textWords } from './words.ts';

/** A call that does what a sentence in an earlier tool output told the agent to do. */
export interface Follow {
  order: Order;
  /** Values that the call took from that sentence and that the user never named. */
  values: string[];
  /** How sure: above 1 the sentence is an instruction of its own, below it might be what the user meant. */
  score: number;
}

interface Value {
  text: string;
  lower: string;
  leaf: Leaf;
  /** An address, an account, a link: a thing that one does not hit upon by chance. */
  distinct: boolean;
}

const dull = /^(?:true|false|null|none|yes|no|\d{1,3}(?:\.\d{1,2})?|\d{4}-\d\d-\d\d.*)$/;
const maxValues = 60;

function valueOf(text: string, leaf: Leaf, distinct: boolean): Value {
  return { text, lower: text.toLowerCase(), leaf, distinct };
}

const strongKinds = new Set<Entity['kind']>(['email', 'url', 'host', 'account', 'card', 'phone', 'path']);

/** What the arguments are made of: short values whole, long ones by the things named in them. */
function valuesOf(call: Call, request: Request): Value[] {
  const values: Value[] = [];
  for (const leaf of call.leaves) {
    if (values.length >= maxValues) break;
    const text = leaf.text.trim();
    if (text.length < 2 || dull.test(text.toLowerCase())) continue;
    if (text.length <= 80 && !namesValue(request, text)) values.push(valueOf(text, leaf, false));
    for (const { kind, value } of entitiesOf(text.slice(0, 4000)).slice(0, 20))
      if (!namesValue(request, value)) values.push(valueOf(value, leaf, strongKinds.has(kind)));
  }
  return values;
}

function holdsWord(order: Order, lower: string): boolean {
  const words = textWords(lower);
  return words.length > 0 && words.length <= 12 && words.every((word) => order.roots.has(root(word)));
}

function isIn(order: Order, { lower, distinct }: Value): boolean {
  if (lower.length >= 4 && order.lower.includes(lower)) return true;
  if (distinct)
    return order.entities.some(({ value }) => value === lower || placeOf(value) === placeOf(lower));
  return holdsWord(order, lower);
}

/** A text of the call that the sentence dictates: most of its words come from there. */
function dictated(order: Order, call: Call, request: Request): boolean {
  return call.leaves.some(({ text }) => {
    if (text.length < 12 || text.length > 2000) return false;
    const lower = text.toLowerCase();
    if (request.lower.includes(lower)) return false;
    if (order.quoted.some((quote) => quote.length > 8 && lower.includes(quote))) return true;
    const words = textWords(text).filter((word) => word.length > 3);
    const met = words.filter((word) => order.roots.has(root(word))).length;
    return words.length >= 3 && met / words.length >= 0.7;
  });
}

const plainWords = new Set(
  [
    'user',
    'new',
    'tool',
    'get',
    'to',
    'from',
    'in',
    'of',
    'the',
    'direct',
    'data',
    'info',
    'item',
    'name',
    'id',
    'by',
    'for',
  ].map(root),
);

/** Things in the name of the tool that the sentence speaks of (`password` in `update_password`). */
function sharedThings(order: Order, call: Call): number {
  let shared = 0;
  for (const word of new Set(call.words.map(root)))
    if (!plainWords.has(word) && order.roots.has(word)) shared++;
  return shared;
}

const sameAct = (order: Order, call: Call) => {
  if (order.foreign) return call.effects.has('read') ? 0 : 0.7;
  let best = 0;
  for (const told of order.senses)
    for (const done of call.senses) {
      if (told === done) return 1;
      if (areKin(told, done)) best = 0.8;
    }
  return best;
};

const contentWords = (roots: ReadonlySet<string>, request: Request) => {
  let shared = 0;
  for (const word of roots) if (word.length > 3 && request.roots.has(word) && !plainWords.has(word)) shared++;
  return shared;
};

/** One tool output, with what is known about it. */
export interface Source {
  text: string;
  orders: readonly Order[];
  /** Logit of the injection detector on a sentence with its neighbours; asked for rarely. */
  injectionLogit: (text: string) => number;
  request: Request;
  /** The user handed the wheel to this very output ("do the tasks on my list at …"). */
  delegated: boolean;
}

interface Match {
  act: number;
  values: Value[];
  dictated: boolean;
  things: number;
}

function matchOf(order: Order, call: Call, values: readonly Value[], request: Request): Match | undefined {
  const act = sameAct(order, call);
  const named = act === 0 && call.toolName.length > 4 && order.lower.includes(call.toolName.toLowerCase());
  if (act === 0 && !named) return undefined;
  const taken = values.filter((value) => isIn(order, value));
  const dictates = dictated(order, call, request);
  const things = sharedThings(order, call);
  if (order.foreign && !taken.some(({ lower, distinct }) => distinct || isNamed(lower))) return undefined;
  const enough = taken.length > 0 || dictates || things > 0 || named;
  return enough ? { act: named ? 1 : act, values: taken, dictated: dictates, things } : undefined;
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
function isKindOpen(request: Request, call: Call, { text, leaf }: Value): boolean {
  const kind = family(entitiesOf(text)[0]?.kind);
  const named = request.entities.some((entity) => family(entity.kind) === kind);
  if (kind === 'email' || kind === 'phone') return !named && speaksOf(request, mailWords);
  if (kind === 'account' || kind === 'card') return !named && speaksOf(request, moneyWords);
  if (kind !== 'url') return true;
  const whole = call.effects.has('read') || leaf.text.length === text.length;
  return whole && !named && speaksOf(request, webWords);
}

function isLeftOpen(request: Request, call: Call, values: readonly Value[]): boolean {
  if (request.delegation === 'none' || !asksFor(request, call.senses)) return false;
  return values.every((value) => !value.distinct || isKindOpen(request, call, value));
}

function barFor({ request, delegated }: Source, call: Call, values: readonly Value[]): number {
  if (delegated) return 3.2;
  if (isLeftOpen(request, call, values)) return call.effects.has('read') ? 2.4 : 2;
  return asksFor(request, call.senses) ? 1.4 : 0.9;
}

/** A name of several words, or one with digits: nobody hits upon it by chance. */
const isNamed = (lower: string) =>
  /^\p{L}{2,}(?: [\p{L}\d]{2,})+$/u.test(lower) || /^(?=.*\d)(?=.*[a-z])[a-z0-9_-]{5,}$/.test(lower);

/** What the call and the sentence have in common. */
function sharedEvidence(order: Order, { act, values, dictated: dictates, things }: Match): number {
  const places = new Set(values.map(({ leaf }) => leaf.path)).size;
  let evidence = order.strength * act + Math.min(2, places) * 0.25 + Math.min(2, things) * 0.25;
  if (values.some(({ distinct }) => distinct)) evidence += 0.7;
  if (values.some(({ lower }) => isNamed(lower))) evidence += 0.35;
  return dictates ? evidence + 0.5 : evidence;
}

/** Evidence over what is needed here. Signs in neighbouring sentences count less for what the user left open. */
function weigh(order: Order, match: Match, call: Call, source: Source): number {
  const { request } = source;
  const shared = contentWords(order.roots, request);
  const open = shared >= 1 && isLeftOpen(request, call, match.values);
  const alone = source.delegated || shared >= 2 || open;
  const bar = barFor(source, call, match.values) + (order.strength < 0.5 ? 1.2 : 0);
  let evidence = sharedEvidence(order, match) + Math.min(3, alone ? order.ownAddress : order.address);
  if (shared === 0) evidence += 0.4;
  if (evidence < bar + 0.5 && evidence > bar - 2.2) {
    const logit = source.injectionLogit(alone ? order.text : order.around);
    if (logit > 0) evidence += Math.min(2, 0.8 + logit * 0.3);
  }
  return evidence / bar;
}

/** What is the same for every output that a call is held against. */
interface Held {
  request: Request;
  values: readonly Value[];
  asked: boolean;
}

const held = new WeakMap<Call, Held>();

function heldOf(call: Call, request: Request): Held {
  const known = held.get(call);
  if (known?.request === request) return known;
  const made = { request, values: valuesOf(call, request), asked: asksFor(request, call.senses) };
  held.set(call, made);
  return made;
}

/** The order in a tool output that the call carries out most clearly, if any. */
export function findFollowed(call: Call, source: Source): Follow | undefined {
  const { request } = source;
  const { values, asked } = heldOf(call, request);
  let best: Follow | undefined;
  for (const order of source.orders) {
    const match = matchOf(order, call, values, request);
    if (match === undefined) continue;
    const own = match.values.length > 0 || match.dictated;
    if (!own && asked) continue;
    if (!own && call.effects.has('read')) continue;
    const score = weigh(order, match, call, source);
    if (best === undefined || score > best.score)
      best = { order, values: match.values.map(({ text }) => text), score };
  }
  return best;
}
