import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameDetector } from '../../detectors/detector.ts';
import { Samples, type JudgedSample } from './samples.ts';

/** Finds what is written into the first byte of a picture: a probability in percent. */
const asWritten: FrameDetector = {
  name: 'http',
  covering: [],
  detect: (pictures) => Promise.resolve(pictures.map(({ rgb }) => ({ Sexual: (rgb[0] ?? 0) / 100 }))),
};

/** Five pictures a second with these probabilities, one of which is judged each second. */
async function judge(percents: readonly number[]): Promise<{ judged: JudgedSample[]; dropped: number }> {
  const judged: JudgedSample[] = [];
  const samples = new Samples({
    detectors: [asWritten],
    thresholds: { Sexual: 0.5 },
    fps: 1,
    isBursty: false,
    signal: new AbortController().signal,
    certainAt: () => ({}),
    onJudged: (sample) => judged.push(sample),
  });
  for (const [i, percent] of percents.entries()) {
    samples.take({ seconds: i / 5, width: 1, height: 1, rgb: Uint8Array.of(percent, 0, 0) }, 0);
    await samples.settled();
  }
  await samples.end();
  return { judged, dropped: samples.dropped };
}

const flagged = ({ judged }: { judged: readonly JudgedSample[] }) =>
  judged.map(({ flags }) => flags['Sexual']);

test('a frame that is wrong alone is not flagged: the pictures beside it do not agree', async () => {
  const percents = [0, 0, 0, 0, 0, 80, 0, 0, 0, 0, 0];
  assert.deepEqual(flagged(await judge(percents)), [false, false, false]);
});

test('a short scene is flagged at its only frame, since the pictures beside it agree', async () => {
  const percents = [0, 0, 0, 0, 0, 80, 80, 0, 0, 0, 0];
  assert.deepEqual(flagged(await judge(percents)), [false, true, false]);
  const before = [0, 0, 0, 0, 70, 80, 0, 0, 0, 0, 0];
  assert.deepEqual(flagged(await judge(before)), [false, true, false]);
});

test('one that is certain needs nobody; two in a row flag the second', async () => {
  assert.deepEqual(flagged(await judge([0, 0, 0, 0, 0, 97, 0, 0, 0, 0])), [false, true]);
  const scene = [0, 0, 0, 0, 0, 60, 0, 0, 0, 0, 60];
  assert.deepEqual(flagged(await judge(scene)), [false, false, true]);
});
