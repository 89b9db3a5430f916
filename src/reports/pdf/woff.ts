import { inflateSync } from 'node:zlib';

/**
 * The TrueType file in a WOFF file (W3C WOFF 1.0, section 3): the same tables, unpacked. The PDF library reads packed
 * tables again for each letter, which takes seconds for a large font.
 */
export function sfntOfWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  header.writeUInt32BE(woff.readUInt32BE(4), 0);
  header.writeUInt16BE(count, 4);
  const parts: Buffer[] = [header];
  let at = header.length;
  for (let i = 0; i < count; i++) {
    const entry = 44 + i * 20;
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const stored = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(stored) : stored;
    woff.copy(header, 12 + 16 * i, entry, entry + 4);
    header.writeUInt32BE(woff.readUInt32BE(entry + 16), 12 + 16 * i + 4);
    header.writeUInt32BE(at, 12 + 16 * i + 8);
    header.writeUInt32BE(length, 12 + 16 * i + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(table, padding);
    at += length + padding.length;
  }
  return Buffer.concat(parts);
}
