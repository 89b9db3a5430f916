/** Recipients whose address is of no usual shape: `"a b"@other.example`, `a@other`, `bob@own.example@other.example`. */
import { nameWords } from '../words.ts';
import { asciiHost, readable, unreadHost } from './addresses.ts';
import { isHost } from './entities.ts';

export interface UnreadRecipient {
  value: string;
  /** Where it leads; `?` where nobody can tell, which is none of our domains. */
  host: string;
}

const mailWords = new Set(
  `to cc bcc recipient recipients receiver receivers address addresses email emails mail mails attendee attendees participant
  participants guest guests invitee invitees invite member members people contact contacts with`.split(/\s+/),
);
const saidWords = new Set(
  'body text content contents message msg subject note notes comment description title template html name'.split(
    ' ',
  ),
);

/** Whether an argument of this name holds mail addresses, and not what is written to them. */
export function holdsRecipients(key: string): boolean {
  const words = nameWords(key);
  return words.some((word) => mailWords.has(word)) && !saidWords.has(words.at(-1) ?? '');
}

const most = 20_000;
const longest = 120;
/** A sign that is written as its number, and a text that is encoded as a whole. */
const encoded = /%40|=40|=\?[\w-]{1,30}\?/;
const domainAfter = /[ \t]{0,8}([^\s,;<>()"'@]{0,255})(\()?/y;
const opener = /[\s([<,;:]/;

/**
 * Every address that an argument for recipients may lead to, told by its sign alone: what stands before it may be quoted,
 * and hold other addresses. Handles (`@bob`), links and paths are none. One pass over the text.
 * @param read hosts of the addresses that were read already
 */
export function unreadRecipients(given: string, read: ReadonlySet<string>): UnreadRecipient[] {
  const text = readable(given);
  let at = text.indexOf('@');
  if (at < 0) return encoded.test(text) ? [{ value: valueOf(text), host: unreadHost }] : [];
  const found = new Map<string, UnreadRecipient>();
  let from = 0;
  for (; at >= 0 && found.size < most; at = text.indexOf('@', at + 1)) {
    domainAfter.lastIndex = at + 1;
    const [whole = '', domain = '', comment] = domainAfter.exec(text) ?? [];
    // A comment within a domain hides how it goes on.
    const host = comment === undefined ? hostIn(domain) : unreadHost;
    if (text[at + 1] !== '@' && !read.has(host) && isAddressed(text, { from, at }, host))
      found.set(host, { value: valueOf(text.slice(from, at + 1 + whole.length)), host });
    from = at + 1;
  }
  return [...found.values()];
}

/** What is left of a list, from the last address on. */
function valueOf(text: string): string {
  const part = text.slice(-longest);
  return part
    .slice(Math.max(part.lastIndexOf(','), part.lastIndexOf(';'), part.lastIndexOf('<')) + 1)
    .trim()
    .toLowerCase();
}

function hostIn(domain: string): string {
  const plain =
    domain
      .toLowerCase()
      .replace(/^\[/, '')
      .replace(/[\].:!?]{1,9}$/, '')
      .split(':', 1)[0] ?? '';
  const host = asciiHost(plain);
  return /^[a-z0-9._-]+$/.test(host) ? host : unreadHost;
}

/** Where an address is: its sign, and the sign before it. */
interface Sign {
  readonly from: number;
  readonly at: number;
}

function isAddressed(text: string, { from, at }: Sign, host: string): boolean {
  const before = text.charAt(at - 1);
  const opensQuote = (before === '"' || before === "'") && (at < 2 || opener.test(text.charAt(at - 2)));
  // `@bob` is a name within a system, `@other.example` a domain.
  if (at === 0 || opener.test(before) || opensQuote) return isHost(host);
  const start =
    text
      .slice(Math.max(from, at - 400), at)
      .split(/[\s,;<"]/)
      .at(-1) ?? '';
  // Links are read as such.
  if (/^[a-z][a-z0-9+.-]{1,12}:\/\//i.test(start)) return false;
  return !/^(?:~?\/|\.{1,2}\/|[a-z]:\\)/i.test(start) || isHost(host);
}
