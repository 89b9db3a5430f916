import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVp8Key, RtpPictures, type RtpPicture } from './rtp-pictures.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

function reader(codec: 'h264' | 'vp8') {
  const pictures: RtpPicture[] = [];
  const lost: number[] = [];
  const rtp = new RtpPictures(
    codec,
    (picture) => pictures.push(picture),
    () => lost.push(pictures.length),
  );
  return { rtp, pictures, lost };
}

const packet = (sequence: number, timestamp: number, payload: readonly number[], isLast: boolean) => ({
  sequence,
  timestamp,
  isLast,
  payload: Buffer.from(payload),
});

test('H.264: single, aggregated and fragmented units, in any order and over the end of numbers', () => {
  const { rtp, pictures, lost } = reader('h264');
  rtp.take(packet(65_534, 9000, [0x78, 0, 2, 0x67, 1, 0, 2, 0x68, 2], false), 0);
  // The end of the key frame before its beginning.
  rtp.take(packet(0, 9000, [0x7c, 0x45, 9, 9], true), 1);
  assert.equal(pictures.length, 0);
  rtp.take(packet(65_535, 9000, [0x7c, 0x85, 8, 8], false), 2);
  assert.deepEqual(
    pictures[0]?.data,
    Buffer.concat([
      startCode,
      Buffer.of(0x67, 1),
      startCode,
      Buffer.of(0x68, 2),
      startCode,
      Buffer.of(0x65, 8, 8, 9, 9),
    ]),
  );
  rtp.take(packet(1, 12_000, [0x41, 5], true), 3);
  // A second time.
  rtp.take(packet(1, 12_000, [0x41, 5], true), 4);
  assert.equal(pictures.length, 2);
  assert.ok(Math.abs((pictures[1]?.timestampMs ?? 0) - 33.3) < 0.1);
  assert.deepEqual(lost, []);
});

test('a packet that does not come is waited for, then its picture is given up and said to be lost', () => {
  const { rtp, pictures, lost } = reader('h264');
  rtp.take(packet(1, 3000, [0x41, 1], true), 0);
  rtp.take(packet(3, 6000, [0x7c, 0x41, 9], true), 10);
  rtp.take(packet(4, 9000, [0x41, 2], true), 40);
  assert.equal(pictures.length, 1, 'it may still come');
  rtp.take(packet(5, 12_000, [0x41, 3], true), 250);
  assert.equal(lost.length, 1);
  assert.deepEqual(
    pictures.map(({ data }) => data.at(-1)),
    [1, 2, 3],
  );
  // Much too late.
  rtp.take(packet(2, 6000, [0x7c, 0x81, 8], false), 260);
  assert.equal(pictures.length, 3);
});

test('VP8: the descriptor is taken off, and frames are put together', () => {
  const { rtp, pictures } = reader('vp8');
  // Extended, with a picture number of two bytes.
  rtp.take(packet(1, 0, [0x90, 0x80, 0x81, 0x02, 0x10, 7, 7], false), 0);
  rtp.take(packet(2, 0, [0x80, 0x80, 0x81, 0x02, 8], true), 0);
  rtp.take(packet(3, 3000, [0x10, 0x11, 6], true), 0);
  assert.deepEqual(
    pictures.map(({ data }) => [...data]),
    [
      [0x10, 7, 7, 8],
      [0x11, 6],
    ],
  );
  assert.deepEqual(
    pictures.map(({ data }) => isVp8Key(data)),
    [true, false],
  );
});
