import { palette } from './palette.ts';
import { type Format, formatted } from './scale.ts';
import { drawing, element, fitted, textAt, widthOf } from './svg.ts';

export interface HeatMap {
  kind: 'heat_map';
  title: string;
  rows: readonly string[];
  columns: readonly string[];
  /** A value for each row and column; null where nothing was measured. */
  values: readonly (readonly (number | null)[])[];
  format?: Format;
  /** Value of the deepest colour; default: the largest value. */
  max?: number;
}

const size = 8.5;
const cellHeight = 22;
const deepest = [188, 11, 32] as const;
const palest = [255, 244, 243] as const;

const mixed = (share: number): string => {
  const channel = (at: 0 | 1 | 2) => Math.round(palest[at] + (deepest[at] - palest[at]) * share);
  return `#${([0, 1, 2] as const).map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`;
};

/** A grid of shares; each cell also shows its value, so that colour is not the only information. */
export function heatMap(
  { title, rows, columns, values, format = 'percent', max }: HeatMap,
  width: number,
): string {
  const labelWidth = Math.min(width * 0.34, Math.max(40, ...rows.map((row) => widthOf(row, size) + 10)));
  const widest = (width - labelWidth) / Math.max(1, columns.length);
  const most = max ?? Math.max(0, ...values.flat().map((value) => value ?? 0));
  const isTilted = columns.some((column) => fitted(column, widest - 6, size) !== fitted(column, width, size));
  const head = isTilted
    ? Math.min(76, 14 + Math.max(0, ...columns.map((column) => widthOf(column, size))) * 0.72)
    : 18;
  // A tilted label begins in the middle of its column and goes to the right, the last one beyond the grid.
  const overhang = isTilted ? Math.min(head, widthOf(columns.at(-1) ?? '', size) * 0.72) : 0;
  const cellWidth = (width - labelWidth - Math.max(0, overhang - widest / 2)) / Math.max(1, columns.length);
  const heads = columns.map((column, i) => {
    const x = labelWidth + (i + 0.5) * cellWidth;
    return isTilted
      ? element(
          'g',
          { transform: `translate(${x.toFixed(2)} ${(head - 5).toFixed(2)}) rotate(-45)` },
          textAt(0, 0, column, { size, colour: palette.inkSoft, mostWidth: (head - 14) / 0.72 }),
        )
      : textAt(x, head - 6, column, {
          size,
          anchor: 'middle',
          colour: palette.inkSoft,
          mostWidth: cellWidth - 4,
        });
  });
  const cells = rows.flatMap((row, i) => {
    const y = head + i * cellHeight;
    return [
      textAt(labelWidth - 8, y + cellHeight / 2 + 3, row, { size, anchor: 'end', mostWidth: labelWidth - 8 }),
      ...columns.flatMap((_, j) => cell(values[i]?.[j] ?? null, labelWidth + j * cellWidth, y)),
    ];
  });
  function cell(value: number | null, x: number, y: number): string[] {
    const share = value === null || most === 0 ? 0 : Math.min(1, Math.max(0, value / most));
    return [
      element('rect', {
        x: x + 1,
        y: y + 1,
        width: Math.max(0, cellWidth - 2),
        height: cellHeight - 2,
        rx: 2,
        fill: value === null ? palette.raised : mixed(share),
      }),
      textAt(x + cellWidth / 2, y + cellHeight / 2 + 3, value === null ? '–' : formatted(value, format), {
        size: 8,
        anchor: 'middle',
        colour: value === null ? palette.inkSoft : share > 0.5 ? palette.paper : palette.ink,
        mostWidth: Math.max(cellWidth, 8),
      }),
    ];
  }
  return drawing(width, head + rows.length * cellHeight + 4, title, [...heads, ...cells]);
}
