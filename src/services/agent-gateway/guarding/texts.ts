/** All text that a server's message carries to an agent, wherever it stands in the message. */
import { isFields } from '#mcp/json-rpc.ts';
import { metaKeys, metaOf } from '#mcp/protocol.ts';
import { isBinaryFile, nameOfBlob, strictBase64, textOfBlob, wordsWithin } from './blob-text.ts';
import { isIdentifier, isMediaType, messagePlace, placeUnder, wordsOf, type Place } from './places.ts';

export interface Texts {
  /** Each text by itself, in the order of the message. */
  readonly texts: readonly string[];
  readonly characters: number;
  /** The message nests deeper, or has more parts, than is read. */
  readonly cut: boolean;
  /** What was not read, such as pictures; the first few. */
  readonly unread: readonly string[];
}

const deepest = 64;
const mostTexts = 100_000;
/** Keys are read too where they are longer than names usually are. */
const longKey = 24;
/** Keys of the protocol itself say nothing. */
const protocolKeys: ReadonlySet<string> = new Set(Object.values(metaKeys));
/** Keys that are words are read together, since a sentence may be spread over them; so many different ones. */
const [fewestKeys, mostKeys] = [6, 400];
const wordKey = /^\p{L}[\p{Ll}\p{Lo}\p{M}' ,.:!-]*$/u;
/** So many parts that were not read are named. */
const mostUnread = 5;
/** Names of fields under which data stands that is binary more often than not. */
const namesData = (key: string, { type }: Record<string, unknown>): boolean =>
  key === 'blob' || (key === 'data' && isMediaType(type));

const schemeAndHost = /^[a-z][\w+.-]{0,40}:\/\/[^/?#\s]*/i;

/** The words of an address whose path or query is a sentence, or the text that it carries itself. */
function wordsOfAddress(address: string): string | undefined {
  let decoded = address;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    // Read as it stands.
  }
  // Full stops of sentences stay where there are spaces between the words.
  if (!/\s/.test(decoded)) return wordsOf(decoded.replace(schemeAndHost, ' '));
  const words = decoded.replaceAll(/[-_+]/g, ' ');
  return words === address ? undefined : words;
}

class Reader {
  readonly texts: string[] = [];
  characters = 0;
  cut = false;
  readonly unread: string[] = [];
  readonly #keys = new Set<string>();

  /** Keys as one text: a sentence may be spread over them. */
  addKeys(): void {
    if (this.#keys.size >= fewestKeys) this.add([...this.#keys].join(' '));
  }

  #skip(what: string): void {
    if (this.unread.length < mostUnread) this.unread.push(what);
  }

  add(text: string): void {
    if (text.trim() === '') return;
    if (this.texts.length >= mostTexts) {
      this.cut = true;
      return;
    }
    this.texts.push(text);
    this.characters += text.length;
  }

  read(value: unknown, place: Place | undefined, depth = 0): void {
    if (typeof value === 'string') this.add(value);
    else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) this.cut = true;
      else if (Array.isArray(value)) for (const each of value) this.read(each, place, depth + 1);
      else this.#readFields(value as Record<string, unknown>, place, depth);
    }
  }

  /** A message without what its server says of itself in each of them. */
  readMessage(message: unknown): void {
    const fields = isFields(message) ? message : undefined;
    const meta = metaOf(fields);
    if (meta[metaKeys.serverInfo] === undefined) {
      this.read(message, messagePlace);
      return;
    }
    const { [metaKeys.serverInfo]: _, ...others } = meta;
    this.read({ ...fields, _meta: others }, messagePlace);
  }

  #readFields(fields: Record<string, unknown>, place: Place | undefined, depth: number): void {
    for (const key in fields) {
      if (!Object.hasOwn(fields, key)) continue;
      const value = fields[key];
      const at = placeUnder(place, key);
      if (place?.under?.has(key) !== true) this.#addKey(key);
      if (typeof value !== 'string') this.read(value, at, depth + 1);
      else if (namesData(key, fields)) this.#addData(value, fields['mimeType'], at !== undefined);
      else this.#addText(key, value, at);
    }
  }

  #addText(key: string, value: string, place: Place | undefined): void {
    if (place?.kind === 'identifier' || place?.kind === 'opaque') {
      this.#addName(value);
      return;
    }
    this.add(value);
    if (key === 'uri') this.#addIfAny(wordsOfAddress(value));
  }

  #addKey(key: string): void {
    if (protocolKeys.has(key)) return;
    if (key.length > longKey || /\s/.test(key)) this.add(key);
    else if (this.#keys.size < mostKeys && wordKey.test(key)) this.#keys.add(key);
  }

  #addIfAny(words: string | undefined): void {
    if (words !== undefined) this.add(words);
  }

  /** What no agent reads as text, unless it is more than a name. */
  #addName(value: string): void {
    if (isIdentifier(value)) this.#addIfAny(wordsOf(value));
    else this.add(value);
  }

  /**
   * Data in base64 is decoded. Where it is none, it reaches the agent as the text that it is; and so it does where the
   * protocol knows of no data, unless a file of another kind begins as it does.
   */
  #addData(value: string, mimeType: unknown, isPlaced: boolean): void {
    const base64 = strictBase64(value);
    if (base64 === undefined) {
      this.add(value);
      // Who decodes it all the same passes over what is no base64.
      this.#addIfAny(textOfBlob(value, 'application/octet-stream').text);
      return;
    }
    const isFile = isBinaryFile(base64);
    if (!isPlaced && !isFile) this.add(value);
    else if (!isPlaced || !isFile) this.add(wordsWithin(base64));
    const { text, isUnread } = textOfBlob(base64, mimeType);
    this.#addIfAny(text);
    if (isUnread) this.#skip(nameOfBlob(base64, mimeType));
  }
}

/** Reads the message once, without {@link introductionOf} it. Linear in its size. */
export function textsOf(message: unknown): Texts {
  const reader = new Reader();
  reader.readMessage(message);
  reader.addKeys();
  return reader;
}

/** What a modern server says of itself in every message: its name, its version and more. */
export const introductionOf = (message: unknown): unknown =>
  isFields(message) ? metaOf(message)[metaKeys.serverInfo] : undefined;

/**
 * The texts of a tool's result as the action guard sees them: its content and structured content, without what the
 * protocol adds around them.
 */
export function outputOf(result: Record<string, unknown>): string {
  const reader = new Reader();
  reader.read(result['content'], placeUnder(messagePlace, 'content'));
  const { structuredContent } = result;
  if (structuredContent !== undefined)
    reader.add(typeof structuredContent === 'string' ? structuredContent : JSON.stringify(structuredContent));
  return reader.texts.join('\n');
}
