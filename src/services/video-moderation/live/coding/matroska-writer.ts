/**
 * Writes coded pictures as Matroska (RFC 9559) for our own decoder, one cluster each: it keeps their times, and a decoder
 * has a picture as soon as its last byte is there.
 */
import type { Codec, CodecSettings, Unit } from './unit.ts';

const codecIds: Readonly<Record<Codec, string>> = {
  h264: 'V_MPEG4/ISO/AVC',
  vp8: 'V_VP8',
  mjpeg: 'V_MJPEG',
  rgb24: 'V_UNCOMPRESSED',
  rgba: 'V_UNCOMPRESSED',
  yuv420p: 'V_UNCOMPRESSED',
};

/** Names of raw formats, as ffmpeg knows them. */
const colourSpaces: Partial<Record<Codec, Buffer>> = {
  rgb24: Buffer.from('RGB\x18', 'latin1'),
  rgba: Buffer.from('RGBA', 'latin1'),
  yuv420p: Buffer.from('I420', 'latin1'),
};

/** A size of eight bytes. */
function sizeOf(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(0x01000000 + Math.floor(length / 2 ** 32), 0);
  bytes.writeUInt32BE(length >>> 0, 4);
  return bytes;
}

const unknownSize = Buffer.from('01ffffffffffffff', 'hex');

const element = (id: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, 'hex'), sizeOf(body.length), body]);
};

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

const text = (value: string) => Buffer.from(value, 'latin1');

/** The start of a stream. */
export function matroskaHead({ codec, width, height, description }: CodecSettings): Buffer {
  const space = colourSpaces[codec];
  const video = element(
    'e0',
    element('b0', number(width)),
    element('ba', number(height)),
    ...(space === undefined ? [] : [element('2eb524', space)]),
  );
  const track = element(
    'ae',
    element('d7', number(1)),
    element('73c5', number(1)),
    element('83', number(1)),
    element('9c', number(0)),
    element('86', text(codecIds[codec])),
    ...(description === undefined ? [] : [element('63a2', description)]),
    video,
  );
  return Buffer.concat([
    element(
      '1a45dfa3',
      element('4286', number(1)),
      element('42f7', number(1)),
      element('42f2', number(4)),
      element('42f3', number(8)),
      element('4282', text('matroska')),
      element('4287', number(4)),
      element('4285', number(2)),
    ),
    Buffer.from('18538067', 'hex'),
    unknownSize,
    // Times in milliseconds.
    element('1549a966', element('2ad7b1', number(1_000_000))),
    element('1654ae6b', track),
  ]);
}

/**
 * One picture.
 * @param timeMs from the start of the stream, an integer
 */
export function matroskaPicture({ data, isKey }: Pick<Unit, 'data' | 'isKey'>, timeMs: number): Buffer[] {
  const time = element('e7', number(timeMs));
  // Track 1, at the cluster’s time.
  const head = Buffer.of(0x81, 0, 0, isKey ? 0x80 : 0);
  const block = Buffer.concat([Buffer.from('a3', 'hex'), sizeOf(head.length + data.length), head]);
  const cluster = Buffer.concat([
    Buffer.from('1f43b675', 'hex'),
    sizeOf(time.length + block.length + data.length),
    time,
    block,
  ]);
  return [cluster, data];
}
