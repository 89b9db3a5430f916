import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test('a traceparent header is parsed as W3C Trace Context requires', () => {
  const read = { traceId, spanId, traceFlags: 1 };
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), read);
  assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-03`), read);
  assert.equal(readTraceparent(`00-${traceId}-${spanId}-00`)?.traceFlags, 0);
  assert.deepEqual(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`), read);
  for (const wrong of [
    '',
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-011`,
  ])
    assert.equal(readTraceparent(wrong), undefined, wrong);
});
