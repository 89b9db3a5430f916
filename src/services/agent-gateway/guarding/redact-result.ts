/** Takes secrets and personal data out of what servers answer. */
import { createHash } from 'node:crypto';
import { deepestJson } from '#base/json-depth.ts';
import { redact } from '#engine/redact/redact.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { Redaction } from '../registry/gateways/gateway.ts';
import { freeName } from './free-name.ts';
import { isBinaryFile, strictBase64 } from './blob-text.ts';
import { isIdentifier, isMediaType, messagePlace, placeUnder, type Place } from './places.ts';

/** How many values of each kind were taken out. */
export type RedactionCounts = Readonly<Record<string, number>>;

export interface RedactedResult {
  readonly result: Fields;
  /** Null if nothing was found. */
  readonly counts: RedactionCounts | null;
}

/**
 * Keys that may be a secret or personal data themselves: addresses, numbers of several digits, several words, and what
 * is as long as a token. Names of fields are none, and not searched.
 */
const mayBeSensitive = /[@\s]|(?:\d\D?){6}|^.{20}/;
/** Shorter numbers are no card or account number. */
const longNumber = 1e10;

/** Longer data that is no text is not searched as it stands. */
const longestSearchedData = 4096;
const scheme = /^[a-z][a-z\d+.-]{0,40}:/i;

/** The parts of an address: up to the host, the user before it, up to the query, and what is behind. */
const parts = /^(?:([a-z][a-z\d+.-]{0,40}:\/\/)([^/?#@\s]{1,2000}@)?)?([^?#]*)([\s\S]*)$/i;
/** A sign, a key, and its value. */
const queryPart = /[?#&;]?(?:([^?#&;=]*)=)?([^?#&;]*)/g;

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 12);

class Redactor {
  readonly #counts = new Map<string, number>();
  readonly #kinds: readonly ['secret'] | undefined;

  constructor(mode: Exclude<Redaction, 'off'>) {
    this.#kinds = mode === 'secrets' ? ['secret'] : undefined;
  }

  get counts(): RedactionCounts | null {
    return this.#counts.size === 0 ? null : Object.fromEntries(this.#counts);
  }

  async text(text: string): Promise<string> {
    const { text: clean, findings } = await redact(text, { kinds: this.#kinds }, hashOf);
    for (const { kind } of findings) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    return findings.length === 0 ? text : clean;
  }

  /** The same value if nothing was found in it. */
  async value(value: unknown, place?: Place, depth = 0): Promise<unknown> {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null || depth > deepestJson) return value;
    if (Array.isArray(value)) {
      const parts: unknown[] = [];
      for (const each of value) parts.push(await this.value(each, place, depth + 1));
      return parts.some((each, at) => each !== value[at]) ? parts : value;
    }
    return this.#fields(value as Fields, place, depth);
  }

  /** Numbers of accounts and telephones may stand without quotes. */
  async #number(value: number): Promise<unknown> {
    if (Math.abs(value) < longNumber || !Number.isSafeInteger(value)) return value;
    const clean = await this.text(String(value));
    return clean === String(value) ? value : clean;
  }

  async #fields(fields: Fields, place: Place | undefined, depth: number): Promise<Fields> {
    let changed = false;
    const clean = new Map<string, unknown>();
    const isMedia = isMediaType(fields['type']);
    for (const [key, value] of Object.entries(fields)) {
      const at = placeUnder(place, key);
      const shown =
        typeof value === 'string'
          ? await this.#named(key, value, at?.kind === 'media' && !isMedia ? undefined : at, isMedia)
          : await this.value(value, at, depth + 1);
      const name = mayBeSensitive.test(key) ? await this.text(key) : key;
      if (shown !== value || name !== key) changed = true;
      clean.set(name === key ? key : freeName(name, fields, clean), shown);
    }
    return changed ? Object.fromEntries(clean) : fields;
  }

  /** What stands under a key of the message. */
  #named(key: string, value: string, place: Place | undefined, isMedia: boolean): string | Promise<string> {
    const kind = place?.kind;
    if (kind === 'opaque') return value;
    if (kind === 'identifier' && isIdentifier(value)) return this.#identifier(value);
    if (kind === 'address' && scheme.test(value)) return this.#address(value);
    if (isData(key, kind, isMedia)) return this.#data(key, value, kind !== undefined);
    return key === 'uri' ? this.#anyAddress(key, value) : this.#field(key, value);
  }

  /** A name that the protocol knows has no secret in it; one that has is none of these. */
  #identifier(value: string): string | Promise<string> {
    return mayBeSensitive.test(value) ? this.text(value) : value;
  }

  async #anyAddress(key: string, value: string): Promise<string> {
    return this.#field(key, await this.#address(value));
  }

  /** The name of a field tells a password that nothing else tells. */
  async #field(key: string, value: string): Promise<string> {
    const clean = await this.text(value);
    if (clean !== value || !/pass|secret|token|key|credential/i.test(key)) return clean;
    const labelled = `${key}: `;
    const { text, findings } = await redact(labelled + value, { kinds: ['secret'] }, hashOf);
    if (findings.length === 0 || !text.startsWith(labelled)) return value;
    this.#counts.set('secret', (this.#counts.get('secret') ?? 0) + findings.length);
    return text.slice(labelled.length);
  }

  /** Of an address the user, the query and the fragment: by the rest the client finds the resource again. */
  async #address(address: string): Promise<string> {
    const [, head = '', user = '', path = '', rest = ''] = parts.exec(address) ?? [];
    const cleanUser = user === '' ? '' : await this.#userOf(user);
    let cleanRest = '';
    for (const [part = '', key = '', value = ''] of rest.matchAll(queryPart))
      cleanRest +=
        value === ''
          ? part
          : part.slice(0, part.length - value.length) + (await this.#queryValue(key, value));
    return head + cleanUser + path + cleanRest;
  }

  /** A password before a host is a secret whatever it looks like; a name alone is one if it looks like one. */
  async #userOf(user: string): Promise<string> {
    const colon = user.indexOf(':');
    if (colon === -1) return `${await this.text(user.slice(0, -1))}@`;
    this.#counts.set('secret', (this.#counts.get('secret') ?? 0) + 1);
    return `${await this.text(user.slice(0, colon))}:[SECRET]@`;
  }

  async #queryValue(key: string, value: string): Promise<string> {
    let decoded = value;
    try {
      decoded = decodeURIComponent(value);
    } catch {
      // Read as it stands.
    }
    const clean = await this.#field(key, decoded);
    return clean === decoded ? value : clean;
  }

  /** Data in base64, where it is any: its text is redacted; files of other kinds stay where the protocol has them. */
  async #data(key: string, value: string, isPlaced: boolean): Promise<string> {
    const base64 = strictBase64(value);
    if (base64 === undefined) return this.#field(key, value);
    if (isPlaced && isBinaryFile(base64)) return value;
    const decoded = textOf(Buffer.from(base64, 'base64'));
    if (decoded !== undefined) {
      const clean = await this.text(decoded);
      if (clean !== decoded) return Buffer.from(clean, 'utf8').toString('base64');
    } else if (base64.length > longestSearchedData && (isPlaced || isBinaryFile(base64))) return value;
    return this.#field(key, value);
  }
}

/** Whether the message has base64 there, by its place or by the field's name. */
const isData = (key: string, kind: Place['kind'] | undefined, isMedia: boolean): boolean =>
  kind === 'blob' || kind === 'media' || key === 'blob' || (key === 'data' && isMedia);

/** UTF-8 only. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, longestSearchedData).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Redacts every text of the result, in any part of it; synchronous where nothing is redacted.
 * @param place what of the protocol the result is, such as a message
 */
export const redactResult = (
  mode: Redaction,
  result: Fields,
  place: Place = messagePlace,
): RedactedResult | Promise<RedactedResult> =>
  mode === 'off' ? { result, counts: null } : redactAll(mode, result, place);

async function redactAll(
  mode: Exclude<Redaction, 'off'>,
  result: Fields,
  place: Place,
): Promise<RedactedResult> {
  const redactor = new Redactor(mode);
  const clean = (await redactor.value(result, place)) as Fields;
  return { result: clean, counts: redactor.counts };
}
