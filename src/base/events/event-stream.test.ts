import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatEvent, type StreamEvent } from './event.ts';
import { EventStream } from './event-stream.ts';
import { readEvents } from './read-events.ts';

const limitBytes = 1_000_000;

async function all(stream: AsyncIterable<Uint8Array>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(stream, limitBytes)) events.push(event);
  return events;
}

async function* pieces(text: string, length: number) {
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < bytes.length; i += length) yield bytes.subarray(i, i + length);
}

test('written events are parsed back, however the bytes are split and with any line break', async () => {
  const events = [
    { id: '1', event: 'query', data: '{"a":"ü😀"}', retryMs: undefined },
    { id: undefined, event: 'message', data: 'two\nlines', retryMs: 3000 },
    { id: '3', event: 'empty', data: '', retryMs: undefined },
  ];
  const text = `: a comment\n\n${events.map(formatEvent).join('')}`;
  for (const written of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')])
    for (const length of [1, 2, 7, 1000]) assert.deepEqual(await all(pieces(`${written}\n`, length)), events);
  for (const field of [{ id: 'a\ndata: x' }, { event: 'x\r\ndata: y' }])
    assert.throws(() => formatEvent({ event: 'x', data: '', ...field }), TypeError);
});

test('an event that never ends is refused', async () => {
  async function* endless() {
    const chunk = new TextEncoder().encode('data: '.padEnd(10_000, 'x'));
    for (;;) yield chunk;
  }
  await assert.rejects(all(endless()), { code: 'too_large', status: 502 });
});

test('for a slow reader memory is bounded and a “dropped” event counts the missing events', async () => {
  const stream = new EventStream({ heartbeatMs: 5, mostWaiting: 10, retryMs: 3000 });
  const data = JSON.stringify('x'.repeat(10_000));
  for (let i = 0; i < 100; i += 1) stream.offer({ id: `${i}`, event: 'query', data });
  // A duplicate from another source.
  stream.offer({ id: '99', event: 'query', data });
  stream.finish();
  const events = await all(stream);
  assert.equal(events[0]!.retryMs, 3000);
  const dropped = events.find(({ event }) => event === 'dropped');
  assert.deepEqual(JSON.parse(dropped!.data), { count: 90 });
  assert.deepEqual(
    events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)])),
    Array.from({ length: 10 }, (_, i) => 90 + i),
  );
});

test('events are merged until an event of another kind follows', async () => {
  const stream = new EventStream();
  const joined = (a: { text: string }, b: { text: string }) => ({ text: a.text + b.text });
  for (const text of ['a', 'b']) stream.merge('pass', { text }, joined, text.length);
  stream.offer({ event: 'flag', data: { policy: 'p' } });
  for (const done of [1, 2, 3]) stream.merge('progress', { done });
  stream.finish();
  stream.offer({ event: 'late', data: {} });
  const events = await all(stream);
  assert.deepEqual(
    events.map(({ event, data }) => [event, JSON.parse(data)]),
    [
      ['pass', { text: 'ab' }],
      ['flag', { policy: 'p' }],
      ['progress', { done: 3 }],
    ],
  );
});

test('a writer that must not lose events waits for room until the reader reads or disconnects', async () => {
  const stream = new EventStream({ roomCharacters: 10 });
  // More than the stream buffers by itself.
  stream.offer({ event: 'first', data: 'x'.repeat(100_000) });
  stream.merge('pass', { text: 'x'.repeat(20) }, undefined, 20);
  let isThereRoom = false;
  const waiting = stream.room().then(() => (isThereRoom = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isThereRoom, false);
  stream.resume();
  await waiting;
  const gone = new EventStream({ mostWaiting: 1 });
  for (const event of ['a', 'b']) gone.offer({ event, data: 'x'.repeat(100_000) });
  const left = gone.room();
  gone.destroy();
  await left;
});

test('an idle stream sends heartbeats and ends after its maximum duration', async () => {
  const stream = new EventStream({ heartbeatMs: 1, lifeMs: 50 });
  let text = '';
  // Neither timer keeps the process alive.
  const keep = setInterval(() => {}, 1000);
  for await (const chunk of stream) text += String(chunk);
  clearInterval(keep);
  assert.match(text, /: still here/);
});
