/** Stories of endpoints through the public door, each in five ways of sending the same rows. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows } from '#services/shadow-ai/fixtures/rows.ts';
import { openTestService } from '#services/shadow-ai/fixtures/service.ts';
import { stories } from './stories.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;
const startMs = clock.now() - 6 * 3_600_000;

/** Every third row first, then the others: neither order nor its reverse. */
const interleaved = (rows: object[]): object[] =>
  [0, 2, 1].flatMap((rest) => rows.filter((_, index) => index % 3 === rest));

const ways: Record<string, (rows: object[]) => object[][]> = {
  'in one batch': (rows) => [rows],
  'row by row': (rows) => rows.map((row) => [row]),
  'row by row from the end': (rows) => rows.toReversed().map((row) => [row]),
  'mixed, in two batches': (rows) => {
    const mixed = interleaved(rows);
    return [mixed.slice(0, rows.length >> 1), mixed.slice(rows.length >> 1)];
  },
  'twice, the second time mixed': (rows) => [rows, interleaved(rows)],
};

interface Found {
  device_name: string;
  agent_framework: string;
  started_at: string;
  process_count: number;
  network_count: number;
  file_count: number;
}

const summary = (found: Found): string =>
  `${found.agent_framework} ${found.process_count}/${found.network_count}/${found.file_count}`;

for (const [way, batchesOf] of Object.entries(ways))
  test(way, async () => {
    for (const [index, { os, tell }] of stories.entries())
      for (const body of batchesOf(tell(deviceRows(`${way} ${index}`, startMs, os)))) {
        const answer = await call('POST', '/api/v1/shadow-ai/telemetry', { as: tokens.admin, body });
        assert.deepEqual(answer.body.rejected, []);
      }
    const { body } = await call('GET', '/api/v1/shadow-ai/events?limit=1000', { as: tokens.admin });
    const events = (body.events as Found[]).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    const found = stories.map(({ name }, index) => [
      name,
      events.filter((each) => each.device_name === `${way} ${index}`).map(summary),
    ]);
    assert.deepEqual(
      found,
      stories.map(({ name, expected }) => [name, expected]),
    );
  });
