import { asciiHost, isEmail, readable } from './addresses.ts';
import { argumentReach } from './reach.ts';

export type EntityKind = 'email' | 'url' | 'host' | 'account' | 'card' | 'phone' | 'path' | 'id' | 'quoted';

/** A thing with a name of its own, as it stands in a text. */
export interface Entity {
  kind: EntityKind;
  /** Lower-case, without decoration: what is compared. */
  value: string;
  at: number;
}

const isBreak = (unit: number) =>
  unit <= 32 ||
  unit === 34 ||
  unit === 60 ||
  unit === 62 ||
  unit === 124 ||
  unit === 0x201c ||
  unit === 0x201d;

const edge = new Set(`'"()[]{}<>,;:!?.*\`’‘“”`.split(''));

function trimEdges(token: string): string {
  let from = 0;
  let to = token.length;
  while (from < to && edge.has(token.charAt(from))) from++;
  while (to > from && edge.has(token.charAt(to - 1))) to--;
  return token.slice(from, to);
}

const maxToken = 400;
const maxEntities = 20_000;
const maxText = argumentReach.text + 1;

const hostShape = /^(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12}$/;
const ipShape = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const accountShape = /^[a-z]{2}\d{2}[a-z0-9]{8,30}$/;
const walletShape = /^(?:0x[0-9a-f]{30,64}|bc1[a-z0-9]{20,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})$/;
const phoneShape = /^\+?\d[\d().-]{6,17}\d$/;
const digits = (text: string) => text.replaceAll(/\D/g, '');
const pathShape = /^(?:~?\/|\.{1,2}\/|[a-z]:\\)[^\s]*$/i;
const fileShape = /^[\w.-]{1,80}\.[a-z0-9]{1,5}$/i;
const idShape = /^[a-z0-9][\w-]{3,60}$/i;

const topDomains = new Set(
  'com org net io dev app ai co de fr uk us eu ch at nl es it ru cn jp in br edu gov mil info biz example test local internal xyz site online tech store shop cloud me tv cc pl se no fi dk be pt cz ro hu gr ie ca au nz mx ar kr tw hk sg id my th vn za ng ke eg tr il ua club link click zip ngrok onion'.split(
    ' ',
  ),
);

/** Luhn checksum of a card number. */
function isCardNumber(text: string): boolean {
  const number = digits(text);
  if (number.length < 13 || number.length > 19) return false;
  let sum = 0;
  for (let at = 0; at < number.length; at++) {
    const digit = Number(number.charAt(number.length - 1 - at));
    const twice = at % 2 === 1 ? digit * 2 : digit;
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(number);
}

/** Whether a lower-case text is a host of a usual domain, or an address of the old internet protocol. */
export function isHost(token: string): boolean {
  if (ipShape.test(token)) return true;
  return topDomains.has(token.slice(token.lastIndexOf('.') + 1)) && hostShape.test(asciiHost(token));
}

function isUrl(token: string): boolean {
  if (/^[a-z][a-z0-9+.-]{1,12}:\/\//.test(token) || token.startsWith('www.')) return true;
  const slash = token.indexOf('/');
  return slash > 3 && isHost(token.slice(0, slash));
}

interface EntityShape {
  readonly kind: EntityKind;
  is(this: void, lower: string, token: string): boolean;
}

const shapes: readonly EntityShape[] = [
  { kind: 'email', is: (lower) => lower.includes('@') && isEmail(lower) },
  { kind: 'url', is: (lower) => isUrl(lower) },
  { kind: 'account', is: (lower) => accountShape.test(lower) },
  { kind: 'account', is: (_, token) => token.length >= 22 && walletShape.test(token) },
  { kind: 'card', is: (lower) => /^\d[\d-]{11,22}$/.test(lower) && isCardNumber(lower) },
  {
    kind: 'phone',
    is: (lower) => phoneShape.test(lower) && digits(lower).length >= 8 && !/^\d{4}-\d\d-\d\d$/.test(lower),
  },
  { kind: 'host', is: (lower) => lower.includes('.') && isHost(lower) },
  { kind: 'path', is: (lower) => pathShape.test(lower) && lower.length > 2 },
  { kind: 'path', is: (lower) => lower.includes('.') && fileShape.test(lower) && !/^[\d.]+$/.test(lower) },
  {
    kind: 'id',
    is: (lower) => idShape.test(lower) && /\d/.test(lower) && (/[a-z_]/.test(lower) || lower.length >= 5),
  },
];

function kindOf(token: string): EntityKind | undefined {
  if (token.length < 4 || token.length > maxToken) return undefined;
  const lower = token.toLowerCase();
  // Asked of every word with a digit or a sign: no pair is taken apart for each kind that it is not.
  for (const shape of shapes) if (shape.is(lower, token)) return shape.kind;
  return undefined;
}

/** `https://www.Example.com/a/` and `example.com/a` are the same place. */
export function placeOf(value: string): string {
  let place = value.toLowerCase();
  const scheme = place.indexOf('://');
  if (scheme >= 0 && scheme < 14) place = place.slice(scheme + 3);
  if (place.startsWith('www.')) place = place.slice(4);
  while (place.endsWith('/') || place.endsWith('.')) place = place.slice(0, -1);
  return place;
}

/** Host of an address, of a mail address, or the text itself; lower-case, in the form that is looked up. */
export function hostOf(value: string): string {
  let place = placeOf(value);
  const slash = place.search(/[/?#\\]/);
  if (slash >= 0) place = place.slice(0, slash);
  place = place.slice(place.lastIndexOf('@') + 1);
  if (place.startsWith('[')) return place.slice(1, place.includes(']') ? place.indexOf(']') : undefined);
  const port = place.lastIndexOf(':');
  const host = asciiHost(port > 0 ? place.slice(0, port) : place);
  return numericHost.test(host) && value.includes('://') ? usualForm(host) : host;
}

/** Parts of an IPv4 address as browsers take them, too: `2130706433`, `0x7f.1`. */
const numericHost = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+)){0,3}$/;
const usualForm = (host: string): string => URL.parse(`http://${host}/`)?.hostname ?? host;

const known = new Map<string, readonly Entity[]>();
const [mostKnown, longestKnown] = [256, 4000];

/**
 * Addresses, accounts, paths, numbers and identifiers in a text, in order. Linear in its length. What was found last is
 * remembered: many tests ask for the entities of the same arguments.
 */
export function entitiesOf(source: string): readonly Entity[] {
  if (source.length > longestKnown) return findEntities(source);
  const text = withoutEnd(source);
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const found = findEntities(text);
  known.set(text, found);
  return found;
}

/** Without blanks at its end, so that an argument and what is left of it without them are one text. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  return end === text.length ? text : text.slice(0, end);
}

function findEntities(source: string): Entity[] {
  const text = source.length > maxText ? source.slice(0, maxText) : source;
  const found: Entity[] = [];
  let from = 0;
  for (let at = 0; at <= text.length && found.length < maxEntities; at++) {
    if (at < text.length && !isBreak(text.charCodeAt(at))) continue;
    if (at - from >= 4) pushToken(text.slice(from, at), from, found);
    from = at + 1;
  }
  return found;
}

/** Words of running text, which most tokens are: every kind of entity has a digit or a sign within it. */
const isPlainWord = (token: string): boolean => {
  for (let at = 0; at < token.length; at++) {
    const lower = token.charCodeAt(at) | 32;
    if (lower < 97 || lower > 122) return false;
  }
  return true;
};

function pushToken(raw: string, at: number, found: Entity[]): void {
  if (raw.length > 2000) return;
  const whole = trimEdges(raw);
  if (isPlainWord(whole)) return;
  const plain = readable(whole);
  const read = plain === whole ? whole : trimEdges(plain.trim());
  const kind = kindOf(read);
  if (kind !== undefined) {
    found.push({ kind, value: valueOf(kind, read, whole), at });
    return;
  }
  if (!/[\s,;:=()[\]]/.test(read)) return;
  for (const part of read.split(/[\s,;=()[\]]|:(?!\/\/)/)) {
    const inner = kindOf(trimEdges(part));
    if (inner !== undefined)
      found.push({ kind: inner, value: placeOf(trimEdges(part)), at: at + Math.max(0, raw.indexOf(part)) });
  }
}

/** Only addresses are compared as they were read: other things are looked for in texts as they stand there. */
function valueOf(kind: EntityKind, read: string, whole: string): string {
  if (kind === 'url' || kind === 'host') return placeOf(read);
  return (kind === 'email' ? read : whole).toLowerCase();
}

/** Texts in quotation marks, at least two characters long. */
export function quotedTexts(text: string): string[] {
  if (!/["“']/.test(text)) return [];
  return [
    ...text
      .slice(0, 20_000)
      .matchAll(/"([^"\n]{2,200})"|“([^”\n]{2,200})”|(?<=^|[\s(:])'([^'\n]{2,200})'(?=$|[\s.,;:!?)])/g),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}
