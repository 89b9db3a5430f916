/** Text in binary data of a server's answer: files, comments within pictures, compressed text. Bounded in time and memory. */
import { gunzipSync, inflateSync } from 'node:zlib';

interface BlobText {
  /** Undefined where there is none that is read. */
  readonly text: string | undefined;
  /** Something of it was not read, such as the picture itself. */
  readonly isUnread: boolean;
}

const looked = 4096;
const mostlyText = 0.9;
/** Compressed text that unfolds to more is not read. */
const mostUnfolded = 300_000;
const mostParts = 2000;

const isText = (mimeType: unknown) =>
  typeof mimeType !== 'string' || /^text\/|json|xml|yaml|csv|javascript|html|markdown|svg/i.test(mimeType);

/** In which half of each pair of bytes the NULs of UTF-16 stand; undefined in other data. */
function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const nulls = [0, 0];
  const { length } = bytes.subarray(0, looked);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nulls[at % 2] = (nulls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulls;
  const most = length * 0.25;
  if (odd > most && even < odd / 10) return 'utf-16le';
  return even > most && odd < even / 10 ? 'utf-16be' : undefined;
}

/** Whether the bytes are letters, signs and spaces of a Western character set, but for a few. */
function isLatin(bytes: Buffer): boolean {
  const some = bytes.subarray(0, looked);
  const readable = some.filter((byte) => (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0 || byte === 0x0a);
  return readable.length >= some.length * mostlyText;
}

/** UTF-8, UTF-16 and Latin-1. */
function plainText(bytes: Buffer, mimeType: unknown): string | undefined {
  // A declared type is not to be trusted, so undeclared and wrongly declared text is read as well.
  if (bytes.subarray(0, looked).includes(0)) {
    const encoding = wideEncoding(bytes);
    return encoding && new TextDecoder(encoding).decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return isText(mimeType) || isLatin(bytes) ? bytes.toString('latin1') : undefined;
  }
}

/** Unfolds compressed data; undefined where it is damaged or unfolds to more than is read. */
function unfolded(unfold: typeof gunzipSync, bytes: Buffer, most: number): Buffer | undefined {
  try {
    return unfold(bytes, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;
const mostFolds = 4;

/** What is packed, also within what is packed; undefined where it is damaged, too much or packed too often. */
function unpacked(bytes: Buffer): Buffer | undefined {
  let inner: Buffer | undefined = bytes;
  for (let left = mostFolds; inner !== undefined && isGzip(inner) && left > 0; left--)
    inner = unfolded(gunzipSync, inner, mostUnfolded);
  return inner !== undefined && isGzip(inner) ? undefined : inner;
}

interface Parts {
  readonly texts: string[];
  left: number;
}

/** What a PNG says in its `tEXt`, `zTXt` and `iTXt` chunks, each behind a keyword and a NUL. */
function readChunk(type: string, data: Buffer, parts: Parts): void {
  const name = data.indexOf(0);
  if (name < 0) return;
  const keyword = data.toString('latin1', 0, name);
  const tell = (bytes: Buffer | undefined, encoding: 'latin1' | 'utf8') => {
    const text = bytes?.subarray(0, parts.left).toString(encoding);
    // What unfolds to too much once would do so again.
    parts.left = text === undefined ? 0 : parts.left - text.length;
    parts.texts.push(`${keyword}: ${text ?? ''}`);
  };
  if (type === 'tEXt') tell(data.subarray(name + 1), 'latin1');
  else if (type === 'zTXt') tell(unfolded(inflateSync, data.subarray(name + 2), parts.left), 'latin1');
  else {
    const language = data.indexOf(0, name + 3);
    const translated = language < 0 ? -1 : data.indexOf(0, language + 1);
    if (translated < 0) return;
    const text = data.subarray(translated + 1);
    tell(data[name + 1] === 1 ? unfolded(inflateSync, text, parts.left) : text, 'utf8');
  }
}

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');
const textChunks = new Set(['tEXt', 'zTXt', 'iTXt']);

function textOfPng(bytes: Buffer): string {
  const parts: Parts = { texts: [], left: mostUnfolded };
  let at = pngStart.length;
  for (let count = 0; count < mostParts && at + 12 <= bytes.length && parts.left > 0; count++) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (textChunks.has(type)) readChunk(type, bytes.subarray(at + 8, at + 8 + length), parts);
    at += 12 + length;
  }
  return parts.texts.join('\n');
}

const isJpeg = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
const segments = { app1: 0xe1, app13: 0xed, comment: 0xfe, scan: 0xda } as const;

/** Comments of a JPEG, and the descriptions of its first segments (XMP, IPTC, Exif) as far as they are letters. */
function textOfJpeg(bytes: Buffer): string {
  const texts: string[] = [];
  let at = 2;
  for (let count = 0; count < mostParts && bytes[at] === 0xff && at + 4 <= bytes.length; count++) {
    const marker = bytes[at + 1];
    const length = bytes.readUInt16BE(at + 2);
    if (marker === segments.scan) break;
    if (marker === segments.comment || marker === segments.app1 || marker === segments.app13)
      texts.push(
        bytes
          .toString('utf8', at + 4, Math.min(bytes.length, at + 2 + length))
          .replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\s]+/gu, '\n'),
      );
    at += 2 + Math.max(2, length);
  }
  return texts.join('\n').slice(0, mostUnfolded);
}

/** How files begin that are pictures, sounds or archives, in hexadecimal digits. */
const binaryStarts =
  /^(?:89504e470d0a1a0a|ffd8ff|47494638|52494646|00000[0-9a-f]{3}66747970|49492a00|4d4d002a|0000010[01]00|ff0a|0000000c4a584c20|494433|fff[0-9a-f]|4f676753|664c6143|464f524d|2e736e64|1a45dfa3|25504446|504b0[35]0[46]|1f8b)/i;
const lookedAtStart = 24;
const dataAddress = /^data:[\w/+.;=-]{0,100};base64,/;
/** Lines of base64 in mails have 76 characters, in keys 64. */
const shortestLine = 40;

/** A row of short words between signs of base64: in a megabyte of data there are a few by chance. */
const spelledOut = /(?:[A-Z]?[a-z]{1,14}[+/_-]){3,}[a-z]{2,14}|(?:[A-Z]{1,14}[+/_-]){3,}[A-Z]{2,14}/g;

/** The base64 without line breaks and without the beginning of a `data:` address; undefined if it is anything else. */
export function strictBase64(text: string): string | undefined {
  const bare = text.startsWith('data:') ? text.replace(dataAddress, '') : text;
  let whole = bare;
  if (bare.includes('\n')) {
    whole = bare.replaceAll(/\r?\n/g, '');
    if ((bare.length - whole.length) * shortestLine > bare.length * 2) return undefined;
  }
  const padding = whole.endsWith('==') ? 2 : whole.endsWith('=') ? 1 : 0;
  // The decoder passes over what is no base64: fewer bytes come out then.
  return Buffer.from(whole, 'base64').length === Math.floor(((whole.length - padding) * 3) / 4)
    ? whole
    : undefined;
}

/** Whether the base64 is that of a picture, a sound or an archive, by how these begin. */
export const isBinaryFile = (base64: string): boolean =>
  binaryStarts.test(Buffer.from(base64.slice(0, lookedAtStart), 'base64').toString('hex'));

/** Words that are base64 as they stand, such as `Read+this+first`. */
export const wordsWithin = (base64: string): string =>
  (base64.match(spelledOut) ?? []).map((run) => run.replaceAll(/[+/_-]/g, ' ')).join('\n');

const orNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

/** @param blob in base64 */
export function textOfBlob(blob: string, mimeType: unknown): BlobText {
  const bytes = Buffer.from(blob, 'base64');
  if (bytes.length === 0) return { text: undefined, isUnread: false };
  if (bytes.subarray(0, pngStart.length).equals(pngStart))
    return { text: orNone(textOfPng(bytes)), isUnread: true };
  if (isJpeg(bytes)) return { text: orNone(textOfJpeg(bytes)), isUnread: true };
  if (isGzip(bytes)) {
    const inner = unpacked(bytes);
    const text = inner && plainText(inner, undefined);
    return { text, isUnread: text === undefined };
  }
  const text = plainText(bytes, mimeType);
  return { text, isUnread: text === undefined };
}

const kilo = 1000;

/** For the audit log, such as `12 kB of image/png`. */
export function nameOfBlob(blob: string, mimeType: unknown): string {
  const kind = typeof mimeType === 'string' && /^[\w.+/-]{1,60}$/.test(mimeType) ? mimeType : 'binary data';
  return `${Math.ceil((blob.length * 0.75) / kilo)} kB of ${kind}`;
}
