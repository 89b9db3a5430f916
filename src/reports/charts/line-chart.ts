import { legend } from './legend.ts';
import { palette, seriesColours } from './palette.ts';
import { type Format, formatted, niceTicks } from './scale.ts';
import { drawing, element, textAt, widthOf } from './svg.ts';

export interface LineChart {
  kind: 'lines';
  title: string;
  /** Labels of the horizontal axis, such as dates of runs. */
  labels: readonly string[];
  /** A value for each label; null leaves a gap. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  format?: Format;
  /** Axis range; default: that of the values, including 0. */
  min?: number;
  max?: number;
}

const height = 150;
const left = 40;
const size = 7.5;

/** A trend over equal steps. */
export function lineChart(
  { title, labels, series, format = 'number', ...range }: LineChart,
  width: number,
): string {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = niceTicks(range.min ?? Math.min(0, ...all), range.max ?? Math.max(0, ...all));
  const [least, most] = [range.min ?? ticks[0] ?? 0, range.max ?? ticks.at(-1) ?? 1];
  const x = (at: number) =>
    labels.length < 2 ? (left + width) / 2 : left + 6 + (at / (labels.length - 1)) * (width - left - 18);
  const y = (value: number) => 8 + (1 - (value - least) / (most - least || 1)) * (height - 16);
  const grid = ticks
    .filter((tick) => tick >= least && tick <= most)
    .flatMap((tick) => [
      element('line', {
        x1: left,
        y1: y(tick),
        x2: width,
        y2: y(tick),
        stroke: palette.line,
        'stroke-width': 0.6,
      }),
      textAt(left - 6, y(tick) + 2.5, formatted(tick, format), {
        size,
        anchor: 'end',
        colour: palette.inkSoft,
      }),
    ]);
  const widest = Math.max(1, ...labels.map((label) => widthOf(label, size))) + 8;
  const each = Math.max(1, Math.ceil((labels.length * Math.min(widest, 90)) / (width - left)));
  const names = labels.flatMap((label, i) =>
    i % each === 0
      ? [textAt(x(i), height + 8, label, { size, anchor: 'middle', colour: palette.inkSoft, mostWidth: 84 })]
      : [],
  );
  const lines = series.flatMap(({ values }, i) =>
    drawnLine(values, seriesColours[i % seriesColours.length] ?? palette.accent, x, y),
  );
  const below = legend(
    series.map(({ name }) => name),
    width,
    height + 26,
  );
  return drawing(width, height + 16 + below.height, title, [...grid, ...names, ...lines, ...below.parts]);
}

function drawnLine(
  values: readonly (number | null)[],
  colour: string,
  x: (at: number) => number,
  y: (value: number) => number,
): string[] {
  let path = '';
  let isOpen = false;
  const dots = values.flatMap((value, i) => {
    if (value === null) {
      isOpen = false;
      return [];
    }
    path += `${isOpen ? 'L' : 'M'}${x(i).toFixed(2)} ${y(value).toFixed(2)}`;
    isOpen = true;
    return [element('circle', { cx: x(i), cy: y(value), r: 2.2, fill: colour })];
  });
  const line = element('path', {
    d: path === '' ? 'M0 0' : path,
    fill: 'none',
    stroke: colour,
    'stroke-width': 1.6,
    'stroke-linejoin': 'round',
  });
  return [line, ...dots];
}
