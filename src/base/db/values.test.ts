/** Both drivers return the same JavaScript values, independent of the database of the other tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from './testing.ts';
import { encode, json } from './values.ts';

const id = '0190163d-8694-739b-aea5-966c26f8ad91';
const at = new Date('2026-02-03T04:05:06.789Z');

/** Type → input → output, if it differs from the input. */
const values: [type: string, given: unknown, expected?: unknown][] = [
  ['text', 'naïve – 日本語 🎉 \' " \\ $1 \n'],
  ['text', ''],
  ['text', null],
  ['text', undefined, null],
  ['text', 'nul \0 end', 'nul \uFFFD end'],
  ['text', 'half \ud83c of a pair, and \udf89', 'half \uFFFD of a pair, and \uFFFD'],
  ['text', 'é\udc00é', 'é\uFFFDé'],
  ['int4', 2_147_483_647],
  ['int8', Number.MAX_SAFE_INTEGER],
  ['int8', -Number.MAX_SAFE_INTEGER],
  ['int8', 9_007_199_254_740_993n],
  ['int8', 7n, 7],
  ['float8', 0.1],
  ['float8', 5e-324],
  ['float8', -0, 0],
  ['float8', Infinity],
  ['float8', NaN],
  ['float4', 1.5],
  ['numeric', '12345678901234567890.123'],
  ['bool', true],
  ['bool', false],
  ['timestamptz', at],
  ['timestamptz', at.toISOString(), at],
  ['timestamptz', 'infinity', Infinity],
  ['date', '2026-02-03'],
  ['uuid', id],
  ['bytea', Buffer.from([0, 1, 0x5c, 255])],
  ['bytea', new Uint8Array([9, 8, 7]).subarray(1), Buffer.from([8, 7])],
  ['bytea', Buffer.alloc(0)],
  ['jsonb', { a: [1, null, { b: 'ü' }], c: true }],
  ['jsonb', json(['a', { b: 1 }]), ['a', { b: 1 }]],
  ['jsonb', json('a "string"'), 'a "string"'],
  ['jsonb', json(null), null],
  ['jsonb', { 'k\0': 'v\0 \ud800 \\u0000 \\' }, { 'k\uFFFD': 'v\uFFFD \uFFFD \\u0000 \\' }],
  ['json', { a: 1 }],
  [
    'text[]',
    ['a', 'b,c', '"', '\\', '', 'NULL', 'null', null, ' x ', '{}', '\0', 'é\udc00'],
    ['a', 'b,c', '"', '\\', '', 'NULL', 'null', null, ' x ', '{}', '\uFFFD', 'é\uFFFD'],
  ],
  ['text[]', []],
  [
    'int4[]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['int8[]', [1, 9_007_199_254_740_993n]],
  ['float8[]', [0.5, null]],
  ['bool[]', [true, false]],
  ['uuid[]', [id]],
  ['timestamptz[]', [at, null]],
  ['jsonb[]', [{ a: 1 }, null]],
  ['bytea[]', [Buffer.from('hi')]],
];

test('values of every type in use are stored and read back unchanged', async () => {
  await using db = await openTestDatabase();
  for (const [type, given, expected = given] of values) {
    const [row] = await db.query(`select $1::${type} as value`, [given]);
    assert.deepEqual(row, { value: expected ?? null }, `${type}: ${String(given)}`);
  }
});

test('values computed by PostgreSQL are returned with the expected JavaScript types', async () => {
  await using db = await openTestDatabase();
  assert.deepEqual(
    await db.query(`
      select count(*) as count, sum(n) as sum, avg(n)::float8 as avg, max(n) as max, bool_and(n > 0) as all,
        array_agg(n order by n) as list, jsonb_agg(n order by n) as json, 'x'::name as name, null as nothing,
        timestamptz '2026-02-03 04:05:06.789+00' as at, timestamptz '2026-02-03 04:05+00'::text as text
      from generate_series(1, 3) n`),
    [
      {
        count: 3,
        sum: 6,
        avg: 2,
        max: 3,
        all: true,
        list: [1, 2, 3],
        json: [1, 2, 3],
        name: 'x',
        nothing: null,
        at,
        text: '2026-02-03 04:05:00+00',
      },
    ],
  );
});

test('any text and any JSON can be stored; only NUL characters and unpaired surrogates are replaced', async () => {
  await using db = await openTestDatabase();
  const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(anyText, fc.array(anyText, { maxLength: 4 }), async (one, list) => {
      const [row] = await db.query('select $1::text as t, $2::text[] as l, $3::jsonb as j', [
        one,
        list,
        { one, list },
      ]);
      const cleanList = list.map(clean);
      assert.deepEqual(row, { t: clean(one), l: cleanList, j: { one: clean(one), list: cleanList } });
    }),
    { numRuns: 200 },
  );
});

test('a value that no column type can hold is refused before it is sent', () => {
  assert.throws(() => encode(Symbol('x')), TypeError);
  assert.throws(() => encode(() => 1), TypeError);
});
