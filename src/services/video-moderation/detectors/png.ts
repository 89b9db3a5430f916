/** Pictures as PNG (RFC 2083), for thumbnails and for reading words. */
import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from '#engine/video/picture.ts';
import type { GreyPicture } from '#engine/video/text-strip.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** @param level of compression, 1 to 9 */
export const pngOf = ({ width, height, rgb }: Picture, level = 1): Buffer =>
  encoded({ width, height, bytes: rgb, samples: 3 }, level);

export const greyPngOf = ({ width, height, grey }: GreyPicture): Buffer =>
  encoded({ width, height, bytes: grey, samples: 1 }, 1);

interface Samples {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  /** For each pixel: 1 is grey, 3 is red, green and blue. */
  readonly samples: 1 | 3;
}

function encoded({ width, height, bytes, samples }: Samples, level: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a sample; colour type 0 is grey, 2 is red, green and blue.
  header.set([8, samples - 1, 0, 0, 0], 8);
  const row = width * samples;
  const filtered = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y += 1) filtered.set(bytes.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
