import { type Tone, palette, seriesColours, tones } from './palette.ts';
import { type Format, formatted, niceTicks } from './scale.ts';
import { drawing, element, textAt, widthOf } from './svg.ts';

export interface Bar {
  label: string;
  value: number;
  /** Ends of its interval, such as Wilson's; drawn as whiskers. */
  low?: number;
  high?: number;
  tone?: Tone;
  /** Behind the value: "12 of 40". */
  note?: string;
}

export interface BarChart {
  kind: 'bars';
  title: string;
  bars: readonly Bar[];
  format?: Format;
  /** Axis maximum; default: the largest value. */
  max?: number;
}

const rowHeight = 22;
const barHeight = 11;
const size = 9;
const axisHeight = 20;

/** Horizontal bars with whiskers, so that long names stay readable. */
export function barChart({ title, bars, format = 'number', max }: BarChart, width: number): string {
  const labelWidth = Math.min(
    width * 0.34,
    Math.max(40, ...bars.map(({ label }) => widthOf(label, size) + 10)),
  );
  const notes = bars.map(({ value, note }) =>
    note === undefined ? formatted(value, format) : `${formatted(value, format)} · ${note}`,
  );
  const noteWidth = Math.min(width * 0.28, Math.max(20, ...notes.map((note) => widthOf(note, size) + 8)));
  const ticks = niceTicks(
    0,
    max ?? Math.max(0, ...bars.map(({ value, high }) => Math.max(value, high ?? 0))),
  );
  const end = max ?? ticks.at(-1) ?? 1;
  const plot = width - labelWidth - noteWidth;
  const x = (value: number) => labelWidth + (Math.min(Math.max(value, 0), end) / (end || 1)) * plot;
  const bottom = bars.length * rowHeight + 4;
  const grid = ticks
    .filter((tick) => tick <= end)
    .flatMap((tick) => [
      element('line', {
        x1: x(tick),
        y1: 0,
        x2: x(tick),
        y2: bottom,
        stroke: palette.line,
        'stroke-width': 0.6,
      }),
      textAt(x(tick), bottom + 12, formatted(tick, format), {
        size: 7.5,
        anchor: 'middle',
        colour: palette.inkSoft,
      }),
    ]);
  const rows = bars.flatMap((bar, i) => {
    const y = i * rowHeight + rowHeight / 2;
    const colour = bar.tone === undefined ? seriesColours[0] : tones[bar.tone].ink;
    return [
      textAt(labelWidth - 8, y + 3, bar.label, { size, anchor: 'end', mostWidth: labelWidth - 8 }),
      element('rect', {
        x: labelWidth,
        y: y - barHeight / 2,
        width: Math.max(0.8, x(bar.value) - labelWidth),
        height: barHeight,
        rx: 1.5,
        fill: colour,
      }),
      ...whisker(bar, x, y),
      textAt(width - noteWidth + 8, y + 3, notes[i] ?? '', { size, mostWidth: noteWidth - 8 }),
    ];
  });
  return drawing(width, bottom + axisHeight, title, [...grid, ...rows]);
}

function whisker({ low, high }: Bar, x: (value: number) => number, y: number): string[] {
  if (low === undefined || high === undefined) return [];
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    element('line', { x1, y1, x2, y2, stroke: palette.ink, 'stroke-width': 1 });
  return [
    line(x(low), y, x(high), y),
    line(x(low), y - 3.5, x(low), y + 3.5),
    line(x(high), y - 3.5, x(high), y + 3.5),
  ];
}
