import type { Call } from './call.ts';
import { asciiHost } from './addresses.ts';
import { type Entity, entitiesOf, hostOf } from './entities.ts';
import { isContent } from './content.ts';
import type { Leaf } from './leaves.ts';
import { once } from './once.ts';
import { holdsRecipients, unreadRecipients } from './recipients.ts';
import { namesValue } from '../judging/request.ts';
import type { EvaluationContext } from '../judging/evaluation-context.ts';
import { nameWords } from '../words.ts';

/** Where a call sends something, or whom it gives something to. */
export interface Destination {
  value: string;
  key: string;
  /** Host of a web or mail address; empty for accounts, names and paths. */
  host: string;
  /** A mail address that a longer text speaks of: nothing goes there. */
  said?: boolean;
}

const keyWords = new Set(
  `to cc bcc recipient recipients receiver address addresses email emails url uri link endpoint host hostname domain
  account iban destination dest target channel user users username participant participants attendee attendees invitee
  webhook phone number payee beneficiary wallet bucket remote server site website spender people member members invite contact with`.split(
    /\s+/,
  ),
);

const longerBy = 20;
const reachKinds = new Set<Entity['kind']>(['email', 'url', 'host', 'account']);

/** Whether an argument of this name says where something goes. */
export const isDestinationKey = (key: string): boolean => nameWords(key).some((word) => keyWords.has(word));

const most = 20_000;
/** How long what is written may be to name addresses in passing; what a longer one speaks of, the call does not reach. */
const mentionedTo = 4000;

/** Recipients, accounts, hosts and channels among the arguments. */
export const destinationsOf = once((call: Call): readonly Destination[] => {
  const found: Destination[] = [];
  for (const leaf of call.leaves) {
    if (found.length >= most) break;
    const read = placesIn(leaf);
    if (read.length === 0 && namesOne(leaf.key, leaf.text))
      found.push({ value: leaf.text.toLowerCase(), key: leaf.key, host: '' });
    else for (const one of read) found.push(one);
  }
  return found;
});

function placesIn({ key, text }: Leaf): Destination[] {
  const isKeyed = isDestinationKey(key);
  if (text.length > mentionedTo && !isKeyed && isContent(key)) return [];
  const places = entitiesOf(text)
    .filter(({ kind }) => reachKinds.has(kind))
    .map(({ kind, value }) => ({
      value,
      key,
      host: kind === 'account' ? '' : hostOf(value),
      said: kind === 'email' && !isKeyed && text.length > value.length + longerBy,
    }));
  if (!holdsRecipients(key)) return places;
  const unread = unreadRecipients(text, new Set(places.map(({ host }) => host)));
  return [...places, ...unread.map((one) => ({ ...one, key }))];
}

const namesOne = (key: string, text: string): boolean =>
  isDestinationKey(key) && text.length >= 2 && text.length <= 120 && !/^\d{1,3}$/.test(text);

/** Destinations that the user never named. */
export const unnamedDestinations = once((context: EvaluationContext): readonly Destination[] => {
  const all = destinationsOf(context.call);
  const mailed = new Set(
    all.flatMap(({ value, host }) => (value.includes('@') && !publicMail.has(host) ? [host] : [])),
  );
  const isAddressed = all.some(({ said, key }) => said !== true && isDestinationKey(key));
  return all.filter(
    (one) =>
      !(isAddressed && one.said === true) &&
      !namesValue(context.request, one.value) &&
      !(one.host !== '' && context.request.hosts.has(one.host)) &&
      !isOfRecipient(one, mailed),
  );
});

/** A link into the domain of whoever it is sent to leads them nowhere else. */
const isOfRecipient = ({ value, host }: Destination, mailed: ReadonlySet<string>): boolean =>
  host !== '' && !value.includes('@') && domainsOf(host).some((domain) => mailed.has(domain));

const mostParts = 20;

/** The host and each domain that it lies in. */
const domainsOf = (host: string): readonly string[] =>
  host
    .split('.')
    .slice(-mostParts)
    .map((_, at, parts) => parts.slice(at).join('.'));

const publicMail = new Set(
  'gmail.com outlook.com hotmail.com yahoo.com proton.me protonmail.com icloud.com aol.com gmx.de mail.com yandex.ru live.com'.split(
    ' ',
  ),
);

const covers = (domain: string, host: string) => host === domain || host.endsWith(`.${domain}`);

/** Domains that count as our own: those given, else those of the user's own addresses in the trace. */
const ownOf = once((context: EvaluationContext): string[] => {
  if (context.ownDomains.length > 0)
    return context.ownDomains.map((domain) => asciiHost(domain.toLowerCase()));
  const own = /\b(?:my|our) (?:e-?mail|address|company|domain|work)\b.{0,40}/g;
  const said = [...context.request.lower.matchAll(own)].flatMap(([text]) => entitiesOf(text));
  const senders = context.call.leaves
    .filter(({ key }) => /^(?:from|sender|reply_to)$/i.test(key))
    .flatMap(({ text }) => entitiesOf(text));
  return [...said, ...senders]
    .filter(({ kind }) => ['email', 'host', 'url'].includes(kind))
    .map(({ value }) => hostOf(value))
    .filter((host) => !publicMail.has(host));
});

const localHost =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1)|\.(?:internal|local|corp|intranet|lan)$/;

/** Whether the destination lies outside of ours; where ours is not known, outside of what the user named. */
export function isOutside(context: EvaluationContext, { host, value, key }: Destination): boolean {
  if (host === '')
    return /^(?:external|public|everyone|anyone|outside)\b/i.test(value) && !value.includes('_');
  if (key.toLowerCase() === 'from' || key.toLowerCase() === 'sender') return false;
  if (localHost.test(host)) return false;
  const own = ownOf(context);
  if (own.length > 0) return !own.some((domain) => covers(domain, host));
  if (publicMail.has(host)) return true;
  return !/(?:^|\.)(?:our-?company|mycompany|company|corp|intranet|internal)\b/.test(host);
}

export const isInDomains = (domains: readonly string[], { host, value }: Destination): boolean =>
  domains.some((domain) =>
    host === ''
      ? value.includes(domain)
      : covers(asciiHost(domain), host) ||
        value === domain ||
        (domain.includes('/') && value.startsWith(domain)),
  );
