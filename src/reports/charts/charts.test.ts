import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Chart, chartSvg } from './chart.ts';
import { formatted, niceTicks } from './scale.ts';

/** The numbers of an attribute, in order. */
const numbers = (svg: string, tag: string, attribute: string) =>
  [...svg.matchAll(new RegExp(`<${tag} [^>]*?\\b${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
    Number(value),
  );

test('axis ticks are 1, 2 or 5 times a power of ten apart and enclose the values', () => {
  assert.deepEqual(niceTicks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(niceTicks(0, 23), [0, 5, 10, 15, 20, 25]);
  assert.deepEqual(niceTicks(0, 0), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual([formatted(0.071, 'percent'), formatted(0.2, 'percent')], ['7.1 %', '20 %']);
  assert.deepEqual([formatted(12345, 'number'), formatted(0.1234, 'number')], ['12,345', '0.123']);
});

test('bar lengths equal their values, with whiskers at the ends of their intervals', () => {
  const svg = chartSvg(
    {
      kind: 'bars',
      title: 'Success',
      max: 1,
      bars: [
        { label: 'a', value: 0.5, low: 0.25, high: 0.75 },
        { label: 'b', value: 1 },
      ],
    },
    500,
  );
  const [half = 0, whole = 0] = numbers(svg, 'rect', 'width');
  assert.ok(Math.abs(half * 2 - whole) < 0.1);
  const [left = 0] = numbers(svg, 'rect', 'x');
  const whisker = [...svg.matchAll(/<line x1="([\d.]+)"[^>]*x2="([\d.]+)"[^>]*stroke="#161a26"/g)][0];
  assert.ok(Math.abs(Number(whisker?.[1]) - (left + whole / 4)) < 0.1);
  assert.ok(Math.abs(Number(whisker?.[2]) - (left + (3 * whole) / 4)) < 0.1);
});

test('charts are well-formed SVG for any input, with markup in labels escaped', () => {
  const name = '<script>"&\u202E\u0000';
  const charts: Chart[] = [
    { kind: 'bars', title: name, bars: [] },
    { kind: 'bars', title: name, bars: [{ label: name, value: Number.NaN, note: name }] },
    { kind: 'heat_map', title: name, rows: [name], columns: [name, 'b'], values: [[null]] },
    {
      kind: 'radar',
      title: name,
      axes: [name, 'b', 'c'],
      series: [
        { name, values: [1] },
        { name, values: [2, 9] },
      ],
    },
    { kind: 'lines', title: name, labels: [name], series: [{ name, values: [null] }] },
    { kind: 'lines', title: name, labels: [], series: [] },
  ];
  for (const chart of charts) {
    const svg = chartSvg(chart, 480);
    assert.match(svg, /^<svg .*<\/svg>$/s);
    assert.ok(!/NaN|Infinity|undefined|<script/.test(svg.replaceAll(/<title>.*?<\/title>/g, '')), svg);
    assert.ok(!svg.includes('\u202E') && !svg.includes('\u0000'));
  }
});

test('missing values leave a gap in a line', () => {
  const svg = chartSvg(
    {
      kind: 'lines',
      title: 'Trend',
      labels: ['a', 'b', 'c', 'd'],
      series: [{ name: 's', values: [1, null, 2, 3] }],
    },
    400,
  );
  const [, path = ''] = /<path d="([^"]*)"/.exec(svg) ?? [];
  assert.equal(path.match(/M/g)?.length, 2);
  assert.equal(path.match(/L/g)?.length, 1);
});
