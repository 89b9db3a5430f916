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

/** Smaller by a whole factor, each pixel the mean of those that it stands for. */
export function smaller(picture: Picture, factor: number): Picture {
  const width = Math.floor(picture.width / factor);
  const height = Math.floor(picture.height / factor);
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let dy = 0; dy < factor; dy += 1)
          for (let dx = 0; dx < factor; dx += 1)
            sum += picture.rgb[((y * factor + dy) * picture.width + x * factor + dx) * 3 + channel] ?? 0;
        rgb[(y * width + x) * 3 + channel] = Math.round(sum / factor ** 2);
      }
  return { width, height, rgb };
}
