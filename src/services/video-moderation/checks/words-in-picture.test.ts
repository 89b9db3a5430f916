import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServiceCalls } from '#base/contract/calls.ts';
import type { Caller } from '#identity/caller.ts';
import { presetSettings } from '../deployments/settings.ts';
import { WordsJudge } from '../detectors/judge-words.ts';
import { WordReader } from '../detectors/read-words.ts';
import { WordsInPicture } from './words-in-picture.ts';

const reader = new WordReader(['eng']);
after(() => reader[Symbol.dispose]());

/** Strokes in lines, which look like words. */
function strokes(seconds: number) {
  const [width, height] = [320, 160];
  const rgb = new Uint8Array(width * height * 3).fill(30);
  for (let y = 40; y < 120; y += 1)
    for (let x = 20; x < 300; x += 1)
      if (y % 40 < 20 && (x + seconds) % 7 < 3) rgb.fill(240, (y * width + x) * 3, (y * width + x) * 3 + 3);
  return { width, height, seconds, rgb };
}

test('readings that are given up reject nowhere but at the end', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', note);
  try {
    const stopped = new AbortController();
    const deps = {
      calls: createServiceCalls<Caller>(),
      baseUrl: 'http://127.0.0.1:1',
      tokenFor: () => Promise.resolve(''),
    };
    const judge = new WordsJudge(deps, {} as Caller, presetSettings(['eng']));
    const words = new WordsInPicture(
      { reader, judge },
      { everySeconds: 2, signal: stopped.signal, onEvidence: () => undefined },
    );
    await words.look(strokes(0));
    await words.look({ ...strokes(2), rgb: strokes(2).rgb.toReversed() });
    stopped.abort(new Error('given up'));
    await sleep(50);
    assert.deepEqual(rejections, []);
    await assert.rejects(words.end(), /given up/);
  } finally {
    process.off('unhandledRejection', note);
  }
});
