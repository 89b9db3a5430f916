import { legend } from './legend.ts';
import { palette, seriesColours } from './palette.ts';
import { type Format, formatted } from './scale.ts';
import { drawing, element, textAt } from './svg.ts';

export interface RadarChart {
  kind: 'radar';
  title: string;
  /** Three or more. */
  axes: readonly string[];
  /** A value for each axis. */
  series: readonly { name: string; values: readonly number[] }[];
  /** Value at the rim; default: 1. */
  max?: number;
  format?: Format;
}

const rings = 4;
const size = 8.5;

export function radarChart(
  { title, axes, series, max = 1, format = 'percent' }: RadarChart,
  width: number,
): string {
  const radius = Math.min(width * 0.24, 120);
  const [cx, cy] = [width / 2, radius + 26];
  const at = (axis: number, share: number): [number, number] => {
    const angle = (axis / axes.length) * 2 * Math.PI - Math.PI / 2;
    return [cx + Math.cos(angle) * radius * share, cy + Math.sin(angle) * radius * share];
  };
  const outline = (shareOf: (axis: number) => number) =>
    axes
      .map((_, i) =>
        at(i, shareOf(i))
          .map((value) => value.toFixed(2))
          .join(','),
      )
      .join(' ');
  const web = Array.from({ length: rings }, (_, ring) => (ring + 1) / rings).flatMap((share) => [
    element('polygon', {
      points: outline(() => share),
      fill: 'none',
      stroke: palette.line,
      'stroke-width': 0.7,
    }),
    textAt(cx + 3, cy - radius * share - 2, formatted(share * max, format), {
      size: 6.5,
      colour: palette.inkSoft,
    }),
  ]);
  const spokes = axes.flatMap((axis, i) => {
    const [x, y] = at(i, 1);
    const isUpright = Math.abs(x - cx) < 4;
    const [labelX, labelY] = at(i, 1 + (isUpright ? 17 : 10) / radius);
    const side = isUpright ? 'middle' : labelX > cx ? 'start' : 'end';
    const room = side === 'middle' ? width * 0.5 : side === 'start' ? width - labelX : labelX;
    return [
      element('line', { x1: cx, y1: cy, x2: x, y2: y, stroke: palette.line, 'stroke-width': 0.7 }),
      textAt(labelX, labelY + 3, axis, { size, anchor: side, mostWidth: room }),
    ];
  });
  const areas = series.map(({ values }, i) => {
    const colour = seriesColours[i % seriesColours.length] ?? palette.accent;
    return element('polygon', {
      points: outline((axis) => Math.min(1, Math.max(0, (values[axis] ?? 0) / (max || 1)))),
      fill: colour,
      'fill-opacity': 0.14,
      stroke: colour,
      'stroke-width': 1.4,
      'stroke-linejoin': 'round',
    });
  });
  const names = legend(
    series.map(({ name }) => name),
    width,
    cy + radius + 30,
  );
  return drawing(width, cy + radius + 24 + names.height, title, [
    ...web,
    ...spokes,
    ...areas,
    ...names.parts,
  ]);
}
