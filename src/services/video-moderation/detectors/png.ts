/** Pictures as PNG (RFC 2083), for thumbnails and for reading words. */
import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from '#engine/video/picture.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

export function pngOf({ width, height, rgb }: Picture, level = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = width * 3;
  const filtered = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y += 1) filtered.set(rgb.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
