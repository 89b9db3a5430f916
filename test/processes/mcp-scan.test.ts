/** Two processes of the MCP scan on one PostgreSQL: one queue, with the same positions at both, and each scan done once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGitServer, type GitRepository } from '#services/mcp-scan/fixtures/git-server.ts';
import { startTogether, whyNot } from './together.ts';

const skip = await whyNot();
const names = Array.from({ length: 7 }, (_, i) => `acme/server-${i}`);
const repositories: Record<string, GitRepository> = Object.fromEntries(
  names.map((name, i) => [
    name,
    { refs: { 'refs/heads/main': { 'a.py': `x = ${i}\n` } }, head: 'refs/heads/main' },
  ]),
);

test('two processes share one queue', { skip, timeout: 180_000 }, async () => {
  await using git = await startGitServer(repositories);
  await using both = await startTogether('mcp-scan', 2, {
    BULWARK_MCP_SCAN_WORKERS: '1',
    BULWARK_MCP_SCAN_REPOSITORY_HOSTS: git.url,
    BULWARK_ALLOW_PRIVATE_NETWORK: 'true',
  });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  git.held = held;
  const ids: number[] = [];
  for (const [i, name] of names.entries()) {
    const made = await both.call(i % 2, 'POST', '/process/github', { github_url: `${git.url}/${name}` });
    ids.push(made.scan_id);
  }
  const positionsAt = async (at: number) => {
    const found = [];
    for (const id of ids) found.push((await both.call(at, 'GET', `/scan/${id}/status`)).queue_position);
    return found;
  };
  // Each process works on one: the first two, in whatever order they were taken.
  while (git.archives() < 2) await sleep(20);
  assert.deepEqual(await positionsAt(0), [0, 0, 1, 2, 3, 4, 5]);
  assert.deepEqual(await positionsAt(1), [0, 0, 1, 2, 3, 4, 5]);
  const [, , , fourth] = ids;
  await both.call(1, 'POST', `/scan/${fourth}/cancel`, {});
  for (const at of [0, 1]) {
    assert.deepEqual(await positionsAt(at), [0, 0, 1, null, 2, 3, 4]);
    const queue = await both.call(at, 'GET', '/queue/status');
    assert.deepEqual(
      [queue.queue_size, queue.processing_count, queue.pending_scan_ids, queue.processing_scan_ids],
      [4, 2, [ids[2], ids[4], ids[5], ids[6]], [ids[0], ids[1]]],
    );
  }
  release();
  const statuses = async (at: number) => {
    const found: string[] = [];
    for (const id of ids) found.push((await both.call(at, 'GET', `/scan/${id}/status`)).status);
    return found;
  };
  while ((await statuses(0)).some((status) => status === 'pending' || status === 'processing'))
    await sleep(50);
  const wanted = ids.map((id) => (id === fourth ? 'failed' : 'completed'));
  assert.deepEqual(await statuses(1), wanted);
  assert.equal(git.archives(), names.length - 1, 'each repository was fetched once');
});
