import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetSettings } from '../deployments/settings.ts';
import { cuesOf, grouped } from './subtitles.ts';
import { selectClips } from './vision.ts';

test('cues of SubRip are read without their markup, and grouped while they follow each other', () => {
  const text =
    '1\n00:00:01,000 --> 00:00:02,500\n<i>We meet</i>\n\n2\n00:00:02,500 --> 00:00:04,000\nat noon.\n\n3\n00:01:00,000 --> 00:01:02,000\nLater.\n';
  const cues = cuesOf(text);
  assert.deepEqual(cues[0], { startSeconds: 1, endSeconds: 2.5, text: 'We meet' });
  assert.deepEqual(
    grouped(cues).map((each) => each.text),
    ['We meet at noon.', 'Later.'],
  );
});

test('a vision model is asked about uncertain clips first, then one now and then, within its budget', () => {
  const clips = Array.from({ length: 20 }, (_, i) => ({
    startSeconds: i * 4,
    endSeconds: i * 4 + 4,
    probs: { Sexual: i === 7 ? 0.5 : 0.01 },
  }));
  const { vision } = presetSettings(['eng']).detectors;
  const starts = (settings: typeof vision, random: number) =>
    selectClips(clips, settings, () => random).map(({ startSeconds }) => startSeconds);
  assert.deepEqual(starts(vision, 1), [28, 0, 32, 64]);
  assert.deepEqual(starts({ ...vision, max_calls: 2 }, 1), [28, 0]);
  assert.equal(starts(vision, 0).length, 20);
  assert.deepEqual(starts({ ...vision, max_calls: 0 }, 0), []);
});
