/** All text that a server's message carries to an agent, wherever it stands in the message. */
import { isFields } from '#mcp/json-rpc.ts';
import { metaKeys, metaOf } from '#mcp/protocol.ts';

export interface Texts {
  /** Each text by itself, in the order of the message. */
  readonly texts: readonly string[];
  readonly characters: number;
  /** The message nests deeper, or has more parts, than is read. */
  readonly cut: boolean;
}

const deepest = 64;
const mostTexts = 100_000;
/** Keys are read too where they are longer than names usually are. */
const longKey = 24;
/** Keys of the protocol itself say nothing. */
const protocolKeys: ReadonlySet<string> = new Set(Object.values(metaKeys));
/** Values of these keys are identifiers of the protocol, which no agent reads as text. */
const machineKeys = new Set([
  'type',
  'mimeType',
  'progressToken',
  'resultType',
  'requestState',
  'cacheScope',
]);

const isText = (mimeType: unknown) =>
  typeof mimeType !== 'string' || /^text\/|json|xml|yaml|csv|javascript|html|markdown|svg/i.test(mimeType);

/** The text of a blob in base64; undefined if it is an image or other binary data. */
function textOfBlob(blob: string, mimeType: unknown): string | undefined {
  const bytes = Buffer.from(blob, 'base64');
  // Text has no NUL byte; a declared type is not to be trusted, so undeclared and wrongly declared text is read as well.
  if (bytes.length === 0 || bytes.subarray(0, 4096).includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text;
  } catch {
    return isText(mimeType) ? bytes.toString('latin1') : undefined;
  }
}

const isBlob = (key: string, type: unknown): boolean =>
  key === 'blob' || (key === 'data' && (type === 'image' || type === 'audio'));

class Reader {
  readonly texts: string[] = [];
  characters = 0;
  cut = false;

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

  #readFields(fields: Record<string, unknown>, depth: number): void {
    const { mimeType, type } = fields;
    for (const key in fields) {
      if (!Object.hasOwn(fields, key)) continue;
      const value = fields[key];
      if (key.length > longKey && !protocolKeys.has(key)) this.add(key);
      if (typeof value !== 'string') this.read(value, depth + 1);
      else if (isBlob(key, type)) {
        const text = textOfBlob(value, mimeType);
        if (text !== undefined) this.add(text);
      } else if (!machineKeys.has(key) || value.length > 200) this.add(value);
    }
  }
}

/** Reads the message once, without {@link introductionOf} it. Linear in its size. */
export function textsOf(message: unknown): Texts {
  const reader = new Reader();
  reader.readMessage(message);
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
