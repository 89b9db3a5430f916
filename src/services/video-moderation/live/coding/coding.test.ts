import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessUnit, H264Reader, nalUnits } from './h264.ts';
import { Timeline } from './timeline.ts';
import { rawBytes } from './unit.ts';

const start = Buffer.from([0, 0, 0, 1]);
const sps = Buffer.from([0x67, 0x42, 0xc0, 0x1e, 0x99]);
const pps = Buffer.from([0x68, 0xce, 0x3c, 0x80]);
const key = Buffer.from([0x65, 1, 2, 3]);
const other = Buffer.from([0x41, 4, 5]);

test('byte streams are split at start codes of three and four bytes, without the zeros before them', () => {
  const bytes = Buffer.concat([start, sps, Buffer.of(0, 0, 1), pps, Buffer.of(0, 0), start, key]);
  assert.deepEqual(nalUnits(bytes), [sps, pps.subarray(0, 4), key]);
  assert.deepEqual(nalUnits(Buffer.alloc(100, 7)), []);
  const unit = accessUnit([sps, pps, key]);
  const counted = (part: Buffer) => Buffer.concat([Buffer.of(0, 0, 0, part.length), part]);
  assert.deepEqual(unit.data, Buffer.concat([sps, pps, key].map(counted)));
  assert.equal(unit.isKey, true);
});

test('pictures wait for the first configuration; a later one stays in its picture', () => {
  const reader = new H264Reader();
  assert.equal(reader.read(Buffer.concat([start, other])), undefined);
  assert.equal(reader.read(Buffer.concat([start, sps, start, pps])), undefined, 'no picture');
  const first = reader.read(Buffer.concat([start, key]));
  assert.deepEqual(first?.description.subarray(0, 6), Buffer.from([1, 0x42, 0xc0, 0x1e, 0xff, 0xe1]));
  const changed = Buffer.from([0x67, 0x64, 0, 0x1f, 0x11]);
  const second = reader.read(Buffer.concat([start, changed, start, pps, start, key]));
  assert.equal(second?.description, first?.description);
  assert.ok(second?.data.includes(changed));
});

test('a sender’s clock that jumps, runs or goes back moves session time by what has really passed', () => {
  const timeline = new Timeline();
  assert.equal(timeline.at(5_000_000, 1000), 0);
  assert.equal(timeline.at(5_000_040, 1040), 40);
  // B-frames: a little back.
  assert.equal(timeline.at(5_000_020, 1060), 20);
  // A jump of a day.
  assert.equal(timeline.at(91_400_000, 1080), 80);
  assert.equal(timeline.at(91_400_040, 1120), 120);
  // Back to the beginning.
  assert.equal(timeline.at(0, 1160), 160);
  let last = 160;
  // Each picture a second later, thirty times in a second.
  for (let i = 1; i <= 300; i += 1) last = timeline.at(i * 1000, 1160 + i * 33);
  assert.ok(last < 300 * 33 + 16_000, `${last} ms for ten seconds`);
  timeline.restart();
  const again = timeline.at(7, 20_000);
  assert.ok(again >= last && again <= last + 9000);
});

test('the size of a raw picture', () => {
  const size = { width: 5, height: 3 };
  assert.equal(rawBytes({ codec: 'rgb24', ...size }), 45);
  assert.equal(rawBytes({ codec: 'rgba', ...size }), 60);
  assert.equal(rawBytes({ codec: 'yuv420p', ...size }), 15 + 2 * 3 * 2);
  assert.equal(rawBytes({ codec: 'mjpeg', ...size }), undefined);
});
