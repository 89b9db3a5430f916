/** The reached level of the detector of refusals, on replies that nothing is trained or tuned on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { detectRefusal } from './refusal/detect.ts';

test('refusals of an author who was never trained on are told from answers as well as before', () => {
  const file = new URL('../../../test/fixtures/replies/by-a-sixth-hand.jsonl', import.meta.url);
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { request: string; reply: string; label: string });
  let [hits, wrong] = [0, 0];
  for (const { request, reply, label } of rows) {
    const declined = detectRefusal(reply, request).kind !== 'none';
    if (declined && label !== 'none') hits++;
    else if (declined !== (label !== 'none')) wrong++;
  }
  const f1 = (2 * hits) / (2 * hits + wrong);
  assert.ok(f1 >= 0.73, `F1 ${f1.toFixed(3)}`);
});
