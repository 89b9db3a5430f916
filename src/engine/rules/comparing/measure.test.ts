import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate, parseMeasure, unitOfName } from './measure.ts';

test('quantities are read in the unit of their kind', () => {
  for (const [text, value, kind] of [
    [5, 5, ''],
    ['1,500.50', 1500.5, ''],
    ['2 hours', 7200, 'time'],
    ['10 GB', 1e10, 'size'],
    ['1 KiB', 1024, 'size'],
    ['3 tonnes', 3000, 'weight'],
    ['2 years', 24, 'months'],
    ['$20', 20, 'USD'],
    ['20 eur', 20, 'EUR'],
    ['-5 %', -5, 'percent'],
  ] as const) {
    const read = parseMeasure(text);
    assert.deepEqual([read?.value, read?.kind], [value, kind], String(text));
  }
});

test('numbers are read as other countries and programs write them', () => {
  for (const text of ['1.200,50', '1 200,50', "1'200.50", '+1200.50', '1.2005k'])
    assert.equal(parseMeasure(text)?.value, 1200.5, text);
  assert.equal(parseMeasure('1e4')?.value, 10_000);
  assert.deepEqual(parseMeasure('1,200.50 EUR'), { value: 1200.5, kind: 'EUR', factor: 1 });
  assert.deepEqual(parseMeasure('5 m'), { value: 300, kind: 'time', factor: 60 });
});

test('what is no plain quantity is none', () => {
  for (const text of ['', 'many', '5 bananas', '$5 EUR', '5 5', Infinity, Number.NaN, '9'.repeat(50)])
    assert.equal(parseMeasure(text), undefined, String(text));
});

test('the name of an argument tells a unit only as a word of its own', () => {
  assert.deepEqual(unitOfName('weight_kg'), ['weight', 1]);
  assert.deepEqual(unitOfName('kg'), ['weight', 1]);
  for (const name of ['hoursAhead', 'backing', 'price_eur', '', 'constructor'])
    assert.equal(unitOfName(name), undefined, name);
});

test('dates without a zone are in UTC, whatever the zone of the machine', () => {
  assert.equal(parseDate('2026-03-29'), Date.UTC(2026, 2, 29));
  assert.equal(parseDate('2026-03-29 02:30'), Date.UTC(2026, 2, 29, 2, 30));
  assert.equal(parseDate('2026-03-29T02:30:00+02:00'), Date.UTC(2026, 2, 29, 0, 30));
  for (const text of ['tomorrow', '29.03.2026', '2026-13-01', '2026-03-29T', '20260329'])
    assert.equal(parseDate(text), undefined, text);
});
