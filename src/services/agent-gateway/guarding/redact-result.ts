/** Takes secrets and personal data out of what servers answer. */
import { createHash } from 'node:crypto';
import { redact } from '#engine/redact/redact.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { Redaction } from '../registry/gateways/gateway.ts';

/** How many values of each kind were taken out. */
export type RedactionCounts = Readonly<Record<string, number>>;

export interface RedactedResult {
  readonly result: Fields;
  /** Null if nothing was found. */
  readonly counts: RedactionCounts | null;
}

/** Values that the protocol needs as they are. */
const kept = new Set(['requestState', 'progressToken']);
/** The same, as long as they are identifiers: a text may stand under these names too. */
const identifiers = new Set(['type', 'mimeType', 'resultType', 'method', 'uriTemplate']);
const longestIdentifier = 200;
const isKept = (key: string, value: string): boolean =>
  kept.has(key) || (identifiers.has(key) && value.length <= longestIdentifier && !/\s/.test(value));
const deepest = 64;
/** Shorter numbers are no card or account number. */
const longNumber = 1e10;

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
  async value(value: unknown, depth = 0): Promise<unknown> {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null || depth > deepest) return value;
    if (Array.isArray(value)) {
      const parts: unknown[] = [];
      for (const each of value) parts.push(await this.value(each, depth + 1));
      return parts.some((each, at) => each !== value[at]) ? parts : value;
    }
    return this.#fields(value as Fields, depth);
  }

  /** Numbers of accounts and telephones may stand without quotes. */
  async #number(value: number): Promise<unknown> {
    if (Math.abs(value) < longNumber || !Number.isSafeInteger(value)) return value;
    const clean = await this.text(String(value));
    return clean === String(value) ? value : clean;
  }

  async #fields(fields: Fields, depth: number): Promise<Fields> {
    let changed: Fields | undefined;
    const isMedia = fields['type'] === 'image' || fields['type'] === 'audio';
    for (const [key, value] of Object.entries(fields)) {
      const isData = key === 'data' && isMedia;
      const clean = isData
        ? value
        : await (typeof value === 'string' ? this.#named(key, value) : this.value(value, depth + 1));
      if (clean !== value) (changed ??= { ...fields })[key] = clean;
    }
    return changed ?? fields;
  }

  /** What stands under a key of the message. */
  #named(key: string, value: string): string | Promise<string> {
    if (isKept(key, value)) return value;
    if (key === 'uri') return this.#address(value);
    return key === 'blob' ? this.#blob(value) : this.#field(key, value);
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

  async #blob(blob: string): Promise<string> {
    const bytes = Buffer.from(blob, 'base64');
    if (bytes.subarray(0, 4096).includes(0)) return blob;
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return blob;
    }
    const clean = await this.text(text);
    return clean === text ? blob : Buffer.from(clean, 'utf8').toString('base64');
  }
}

/** Redacts every text of the result, in any part of it; synchronous where nothing is redacted. */
export const redactResult = (mode: Redaction, result: Fields): RedactedResult | Promise<RedactedResult> =>
  mode === 'off' ? { result, counts: null } : redactAll(mode, result);

async function redactAll(mode: Exclude<Redaction, 'off'>, result: Fields): Promise<RedactedResult> {
  const redactor = new Redactor(mode);
  const clean = (await redactor.value(result)) as Fields;
  return { result: clean, counts: redactor.counts };
}
