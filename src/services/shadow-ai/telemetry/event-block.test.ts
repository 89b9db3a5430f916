import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, inOrder, type KeptEvent, packEvents, placeOf, unpackEvents } from './event-block.ts';

const midnight = Date.UTC(2026, 10, 20);

const event = (i: number, more: Partial<KeptEvent> = {}): KeptEvent => ({
  id: i.toString(16).padStart(32, '0'),
  content: i * 1000,
  at: new Date(midnight + i * 1000),
  dimension: 'network',
  processId: '00000000-0000-4000-8000-000000000001',
  connectorId: 'push',
  userName: 'ana',
  appName: null,
  commandLine: null,
  host: null,
  ip: '203.0.113.9',
  port: 0,
  inbound: false,
  filePath: null,
  action: null,
  providerId: null,
  isApi: true,
  fileRule: null,
  tags: [],
  ...more,
});

const none = { host: null, ip: null, port: null, inbound: null, providerId: null, isApi: false };

test('blocks give back what was put in, whatever an event has', () => {
  const events = [
    event(1, { host: 'api.openai.com', providerId: 'ai-connect-openai', tags: ['egress', 'a"b\\c'] }),
    event(2, { dimension: 'dns', host: 'claude.ai', ip: null, port: null, inbound: null, isApi: false }),
    event(3, { dimension: 'process', ...none, commandLine: 'claude -p "x\ty"', action: 'Launch' }),
    event(4, { dimension: 'process', ...none }),
    event(5, { dimension: 'file', ...none, filePath: 'C:\\a\\b', fileRule: 'models', userName: null }),
  ];
  const blocks = packEvents(events.toReversed());
  assert.equal(blocks.length, 1);
  assert.deepEqual(blocks.flatMap(unpackEvents), events);
  const stored = blocks.map((block) => ({ ...block, events: JSON.parse(JSON.stringify(block.events)) }));
  assert.deepEqual(stored.flatMap(unpackEvents), events);
});

test('SQL finds what it asks of an event in its place', () => {
  const [network, file] = packEvents([
    event(1, { providerId: 'ai-connect-openai' }),
    event(3, { dimension: 'file', ...none, fileRule: 'models' }),
  ])[0]!.events;
  assert.equal(network![placeOf.dimension], codeOf.network);
  assert.equal(file![placeOf.dimension], codeOf.file);
  assert.equal(file![placeOf.afterMs], 2000);
  // Events of other dimensions have other fields, or none, in these.
  assert.equal((network as readonly unknown[])[placeOf.providerId], 'ai-connect-openai');
  assert.equal((file as readonly unknown[])[placeOf.fileRule], 'models');
});

test('a block is of one process, connector and day, and of no more than 500 events', () => {
  const events = [
    ...Array.from({ length: 1203 }, (_, i) => event(i)),
    event(-1),
    event(-2),
    event(7, { processId: '00000000-0000-4000-8000-000000000002', id: 'f'.repeat(32) }),
    event(8, { connectorId: 'edr-c', id: 'e'.repeat(32) }),
  ];
  const blocks = packEvents(events);
  assert.deepEqual(
    blocks.map((block) => block.events.length).toSorted((a, b) => a - b),
    [1, 1, 2, 203, 500, 500],
  );
  for (const block of blocks) {
    const [first, ...others] = unpackEvents(block);
    assert.deepEqual([first!.id, first!.at], [block.id, block.firstAt]);
    assert.deepEqual((others.at(-1) ?? first!).at, block.lastAt);
    assert.equal(block.firstAt.getUTCDate(), block.lastAt.getUTCDate());
  }
  assert.deepEqual(blocks.flatMap(unpackEvents).toSorted(inOrder), events.toSorted(inOrder));
});
