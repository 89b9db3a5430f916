/** Playlists of HTTP Live Streaming (RFC 8216). */
import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { fetchBytes, type ByteRange } from './fetch-bytes.ts';
import {
  reloadAfter,
  type Encryption,
  type FilePart,
  type LoadSegments,
  type Segment,
  type SegmentList,
} from './segment.ts';

const mostPlaylistBytes = 4 * 1024 * 1024;
const mostSegments = 20_000;
/** Enough for every detector; more only costs time. */
const wantedHeight = 360;

const wrong = (what: string) => new AppError(422, 'decode_failed', `The playlist ${what}.`);

/** `NAME=value,OTHER="quoted, value"`. */
function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of text.matchAll(/([A-Z0-9-]{1,64})=(?:"([^"]*)"|([^,]*))/g))
    found.set(name, quoted ?? plain);
  return found;
}

function resolved(url: string, base: string): string {
  if (!URL.canParse(url, base)) throw wrong('names an address that cannot be read');
  const { href, protocol } = new URL(url, base);
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong(`names an address with ${protocol}`);
  return href;
}

/** `length@offset`; without an offset it goes on after the part before. */
function rangeOf(text: string, before: number): ByteRange {
  const [length = Number.NaN, offset = before] = text.split('@').map(Number);
  if (!Number.isSafeInteger(length) || !Number.isSafeInteger(offset) || length < 1 || offset < 0)
    throw wrong(`has the byte range ${text.slice(0, 50)}`);
  return { length, offset };
}

/** The smallest picture that is large enough; the address of its playlist. */
function variantOf(lines: readonly string[], base: string): string | undefined {
  // From the end, so that the address after each line is known without a search.
  let url: string | undefined;
  const variants = lines.toReversed().flatMap((line) => {
    if (line !== '' && !line.startsWith('#')) url = line;
    if (!line.startsWith('#EXT-X-STREAM-INF:')) return [];
    const attributes = attributesOf(line.slice(line.indexOf(':') + 1));
    const height = Number(attributes.get('RESOLUTION')?.split('x')[1] ?? 0);
    const codecs = attributes.get('CODECS') ?? '';
    const isSound =
      codecs !== '' && codecs.split(',').every((codec) => /^\s*(mp4a|ac-3|ec-3|opus)/i.test(codec));
    return url === undefined || isSound
      ? []
      : [{ url, height, bandwidth: Number(attributes.get('BANDWIDTH') ?? 0) }];
  });
  variants.reverse();
  const enough = variants.filter(({ height }) => height >= wantedHeight);
  const [chosen] =
    enough.length > 0
      ? enough.toSorted((a, b) => a.bandwidth - b.bandwidth)
      : variants.toSorted((a, b) => b.bandwidth - a.bandwidth);
  return chosen === undefined ? undefined : resolved(chosen.url, base);
}

/** Reads a media playlist. @throws AppError 422 */
export function readPlaylist(text: string, base: string): SegmentList {
  const reader = new PlaylistReader(base);
  for (const line of linesOf(text)) reader.line(line);
  return reader.end();
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).map((line) => line.trim());

class PlaylistReader {
  readonly #base: string;
  readonly #segments: Segment[] = [];
  #targetSeconds = 6;
  #sequence = 0;
  #seconds: number | undefined;
  #range: ByteRange | undefined;
  #rangeEnd = 0;
  #init: FilePart | undefined;
  #key: { url: string; iv: Buffer | undefined } | undefined;
  #isDiscontinuous = false;
  #isFinished = false;
  readonly #tags: Readonly<Record<string, (value: string) => void>> = {
    '#EXTINF': (value) => (this.#seconds = Math.min(60, Math.max(0, Number.parseFloat(value) || 0))),
    '#EXT-X-TARGETDURATION': (value) => (this.#targetSeconds = Math.max(1, Number(value) || 6)),
    '#EXT-X-MEDIA-SEQUENCE': (value) => (this.#sequence = Math.max(0, Number(value) || 0)),
    '#EXT-X-BYTERANGE': (value) => (this.#range = rangeOf(value, this.#rangeEnd)),
    '#EXT-X-DISCONTINUITY': () => (this.#isDiscontinuous = true),
    '#EXT-X-ENDLIST': () => (this.#isFinished = true),
    '#EXT-X-MAP': (value) => this.#readMap(attributesOf(value)),
    '#EXT-X-KEY': (value) => this.#readKey(attributesOf(value)),
  };

  constructor(base: string) {
    this.#base = base;
  }

  line(line: string): void {
    if (line === '') return;
    if (!line.startsWith('#')) {
      this.#segment(line);
      return;
    }
    const colon = line.indexOf(':');
    const tag = colon < 0 ? line : line.slice(0, colon);
    if (Object.hasOwn(this.#tags, tag)) this.#tags[tag]?.(colon < 0 ? '' : line.slice(colon + 1));
  }

  end(): SegmentList {
    const shortest = this.#segments.at(-1)?.seconds ?? this.#targetSeconds;
    return {
      segments: this.#segments,
      isFinished: this.#isFinished,
      reloadMs: reloadAfter(Math.min(this.#targetSeconds, shortest)),
    };
  }

  #segment(url: string): void {
    if (this.#segments.length >= mostSegments) throw wrong(`has more than ${mostSegments} segments`);
    const position = this.#sequence + this.#segments.length;
    this.#segments.push({
      position,
      url: resolved(url, this.#base),
      range: this.#range,
      seconds: this.#seconds ?? this.#targetSeconds,
      init: this.#init,
      encryption: this.#encryption(position),
      isDiscontinuous: this.#isDiscontinuous,
    });
    if (this.#range !== undefined) this.#rangeEnd = this.#range.offset + this.#range.length;
    this.#range = undefined;
    this.#isDiscontinuous = false;
  }

  #encryption(position: number): Encryption | undefined {
    if (this.#key === undefined) return undefined;
    const iv = Buffer.alloc(16);
    iv.writeBigUInt64BE(BigInt(position), 8);
    return { keyUrl: this.#key.url, iv: this.#key.iv ?? iv };
  }

  #readMap(attributes: Map<string, string>): void {
    const uri = attributes.get('URI');
    if (uri === undefined) throw wrong('has an EXT-X-MAP without a URI');
    const range = attributes.get('BYTERANGE');
    this.#init = {
      url: resolved(uri, this.#base),
      range: range === undefined ? undefined : rangeOf(range, 0),
    };
  }

  #readKey(attributes: Map<string, string>): void {
    const method = attributes.get('METHOD');
    if (method === 'NONE') {
      this.#key = undefined;
      return;
    }
    const uri = attributes.get('URI');
    const format = attributes.get('KEYFORMAT') ?? 'identity';
    if (method !== 'AES-128' || uri === undefined || format !== 'identity')
      throw wrong(
        `is encrypted with ${method ?? 'an unknown method'}; AES-128 with a key that can be fetched is read`,
      );
    const iv = /^0x([0-9a-f]{32})$/i.exec(attributes.get('IV') ?? '')?.[1];
    this.#key = { url: resolved(uri, this.#base), iv: iv === undefined ? undefined : Buffer.from(iv, 'hex') };
  }
}

/** Loads a playlist, of which a variant is chosen once. */
export function hlsLoader(outbound: Outbound, url: string): LoadSegments {
  let media: string | undefined;
  const load = async (from: string, signal: AbortSignal) => {
    const { bytes, url: base } = await fetchBytes(
      outbound,
      { url: from, mostBytes: mostPlaylistBytes },
      signal,
    );
    const text = bytes.toString('utf8');
    if (!text.trimStart().startsWith('#EXTM3U')) throw wrong('does not begin with #EXTM3U');
    return { text, base };
  };
  return async (signal) => {
    const first = await load(media ?? url, signal);
    if (media !== undefined || !first.text.includes('#EXT-X-STREAM-INF')) {
      media ??= url;
      return readPlaylist(first.text, first.base);
    }
    const variant = variantOf(linesOf(first.text), first.base);
    if (variant === undefined) throw wrong('has no variant with pictures');
    const { text, base } = await load(variant, signal);
    if (text.includes('#EXT-X-STREAM-INF')) throw wrong('leads to another list of variants');
    media = variant;
    return readPlaylist(text, base);
  };
}
