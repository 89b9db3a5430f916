import { Transform } from 'node:stream';
import { ArchiveError } from './archive-limits.ts';

const blockBytes = 512;
/** Limit for a header that describes the next entry (a long name, pax attributes). Readers keep it in memory. */
const mostExtraBytes = 64 * 1024;
/** L and K: GNU long names; x and g: POSIX pax attributes. */
const extraTypes = new Set(['L', 'K', 'x', 'g']);

function sizeOf(header: Buffer): number {
  const first = header.readUInt8(124);
  // A binary size (GNU) means more than 8 GiB, or hides the value from simple readers.
  if ((first & 0x80) !== 0)
    throw new ArchiveError('too_large', 'An entry declares a size of more than 8 GiB.');
  const text = header.toString('latin1', 124, 136).replaceAll('\0', ' ').trim();
  if (!/^[0-7]*$/.test(text)) throw new ArchiveError('broken', 'The archive has a header without a size.');
  return Number.parseInt(text === '' ? '0' : text, 8);
}

/**
 * Passes a tar archive through and refuses what would harm a reader: headers that fill its memory, and sizes
 * given twice, which make two readers see different entries.
 */
export function guardTarHeaders(): Transform {
  let buffered: Buffer = Buffer.alloc(0);
  let skip = 0;
  let extra: { type: string; left: number; padding: number; text: Buffer[] } | undefined;

  const checkExtra = (type: string, content: Buffer) => {
    if (
      (type === 'x' || type === 'g') &&
      /(?:^|\n)\d+ (?:size|GNU\.sparse\.[^=\n]*)=/.test(content.toString('latin1'))
    )
      throw new ArchiveError('broken', 'The archive gives the size of an entry twice.');
  };
  const readHeader = (header: Buffer) => {
    // An empty block is part of the end marker.
    if (header.every((byte) => byte === 0)) return;
    const size = sizeOf(header);
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    const type = header.toString('latin1', 156, 157);
    if (!extraTypes.has(type)) {
      skip = size + padding;
      return;
    }
    if (size > mostExtraBytes)
      throw new ArchiveError('too_large', `The archive has a header of more than ${mostExtraBytes} bytes.`);
    if (size > 0) extra = { type, left: size, padding, text: [] };
  };
  /** Consumes as much of the chunk as it can; returns the new offset. */
  const step = (chunk: Buffer, from: number): number => {
    if (skip > 0) {
      const taken = Math.min(skip, chunk.length - from);
      skip -= taken;
      return from + taken;
    }
    if (extra !== undefined) {
      const part = chunk.subarray(from, from + extra.left);
      extra.text.push(Buffer.from(part));
      extra.left -= part.length;
      if (extra.left === 0) {
        checkExtra(extra.type, Buffer.concat(extra.text));
        skip = extra.padding;
        extra = undefined;
      }
      return from + part.length;
    }
    const part = chunk.subarray(from, from + blockBytes - buffered.length);
    buffered = Buffer.concat([buffered, part]);
    if (buffered.length === blockBytes) {
      readHeader(buffered);
      buffered = Buffer.alloc(0);
    }
    return from + part.length;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length;) at = step(chunk, at);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
