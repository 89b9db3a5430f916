/** All text that a server's message carries to an agent, wherever it stands in the message. */
import { isFields } from '#mcp/json-rpc.ts';
import { metaKeys, metaOf } from '#mcp/protocol.ts';
import { nameOfBlob, textOfBlob } from './blob-text.ts';

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
const longestIdentifier = 200;
/** Keys that are words are read together, since a sentence may be spread over them; so many different ones. */
const [fewestKeys, mostKeys] = [6, 400];
const wordKey = /^\p{L}[\p{Ll}\p{Lo}\p{M}' ,.:!-]*$/u;
/** So many parts that were not read are named. */
const mostUnread = 5;
/** Values of these keys are identifiers of the protocol, which no agent reads as text, unless they are more than a word. */
const machineKeys = new Set([
  'type',
  'mimeType',
  'progressToken',
  'resultType',
  'requestState',
  'cacheScope',
]);

const fewestWords = 4;

/** The words of an address whose path or query is a sentence, or the text that it carries itself. */
function wordsOfAddress(address: string): string | undefined {
  let decoded = address;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    // Read as it stands.
  }
  const words = decoded.replaceAll(/[-_+]/g, ' ');
  return words !== address && words.split(/\s+/).length >= fewestWords ? words : undefined;
}

const isBlob = (key: string, type: unknown): boolean =>
  key === 'blob' || (key === 'data' && (type === 'image' || type === 'audio'));

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

  read(value: unknown, depth: number): void {
    if (typeof value === 'string') this.add(value);
    else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) this.cut = true;
      else if (Array.isArray(value)) for (const each of value) this.read(each, depth + 1);
      else this.#readFields(value as Record<string, unknown>, depth);
    }
  }

  /** A message without what its server says of itself in each of them. */
  readMessage(message: unknown): void {
    const fields = isFields(message) ? message : undefined;
    const meta = metaOf(fields);
    if (meta[metaKeys.serverInfo] === undefined) {
      this.read(message, 0);
      return;
    }
    const { [metaKeys.serverInfo]: _, ...others } = meta;
    this.read({ ...fields, _meta: others }, 0);
  }

  #addField(key: string, value: string): void {
    const isIdentifier = machineKeys.has(key) && value.length <= longestIdentifier && !/\s/.test(value);
    if (!isIdentifier) this.add(value);
    const words = key === 'uri' ? wordsOfAddress(value) : undefined;
    if (words !== undefined) this.add(words);
  }

  #readFields(fields: Record<string, unknown>, depth: number): void {
    const { mimeType, type } = fields;
    for (const key in fields) {
      if (!Object.hasOwn(fields, key)) continue;
      const value = fields[key];
      if (!protocolKeys.has(key)) {
        if (key.length > longKey) this.add(key);
        else if (this.#keys.size < mostKeys && !machineKeys.has(key) && wordKey.test(key))
          this.#keys.add(key);
      }
      if (typeof value !== 'string') this.read(value, depth + 1);
      else if (isBlob(key, type)) {
        const { text, isUnread } = textOfBlob(value, mimeType);
        if (text !== undefined) this.add(text);
        if (isUnread) this.#skip(nameOfBlob(value, mimeType));
      } else this.#addField(key, value);
    }
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
  reader.read(result['content'], 0);
  const { structuredContent } = result;
  if (structuredContent !== undefined)
    reader.add(typeof structuredContent === 'string' ? structuredContent : JSON.stringify(structuredContent));
  return reader.texts.join('\n');
}
