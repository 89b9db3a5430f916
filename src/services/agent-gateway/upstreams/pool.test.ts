import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '../registry/servers/server.ts';
import { Pool } from './pool.ts';

test('a process whose restart is delayed because a call failed meanwhile is started later', async () => {
  const dialled = new EventEmitter();
  let nowMs = 1_000_000;
  let looks = 0;
  let dials = 0;
  const server = { serverId: 'mcp_1', name: 'one', transport: 'stdio', authType: 'none' } as McpServer;
  await using pool = new Pool({
    // The clock does not advance: when the restart is due, the pause is not over.
    clock: {
      now() {
        looks += 1;
        return nowMs;
      },
    },
    maxProcesses: 1,
    events: { notification() {}, connected() {}, failed() {}, noise() {} },
    async dial() {
      dials += 1;
      dialled.emit('dial');
      throw new Error('not here');
    },
  });
  await assert.rejects(
    pool.use(server, undefined, async () => undefined),
    /not here/,
  );
  await assert.rejects(
    pool.use(server, undefined, async () => undefined),
    /is tried again in 1 s/,
  );
  // A restart that is due checks the clock, and is postponed.
  for (const before = looks; looks < before + 2;) await sleep(20);
  assert.equal(dials, 1);
  const again = once(dialled, 'dial', { signal: AbortSignal.timeout(60_000) });
  nowMs += 500;
  await again;
});
