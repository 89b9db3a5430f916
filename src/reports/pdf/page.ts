import type { TableLayout } from 'pdfmake';
import { palette } from '../charts/palette.ts';

/** Measures of a page, in points. */
export const page = {
  width: 595.28,
  height: 841.89,
  margin: 54,
  top: 66,
  bottom: 62,
} as const;

/** Room for text between the margins. */
export const textWidth = page.width - 2 * page.margin;

export const sizes = { body: 9.5, small: 8, code: 8, heading: [17, 12.5, 10.5] } as const;

export const lineHeight = 1.28;

const none = () => 0;

/** Hairlines between rows, a stronger one below the head. */
export const rowLayout: TableLayout = {
  hLineWidth: (i, node) => (i === 0 || i === node.table.body.length ? 0 : i === 1 ? 0.9 : 0.5),
  vLineWidth: none,
  hLineColor: (i) => (i === 1 ? palette.lineStrong : palette.line),
  paddingLeft: () => 6,
  paddingRight: () => 6,
  paddingTop: () => 4,
  paddingBottom: () => 4,
  fillColor: (i) => (i === 0 ? palette.raised : null),
};

/** A coloured box; `bar` draws a strong line at its left. */
export const boxLayout = (bar?: string): TableLayout => ({
  hLineWidth: none,
  vLineWidth: (i) => (bar !== undefined && i === 0 ? 2.5 : 0),
  vLineColor: () => bar ?? palette.line,
  paddingLeft: () => 10,
  paddingRight: () => 10,
  paddingTop: () => 7,
  paddingBottom: () => 7,
});

/** Nothing but room between columns. */
export const plainLayout = (gap: number): TableLayout => ({
  hLineWidth: none,
  vLineWidth: none,
  paddingLeft: (i) => (i === 0 ? 0 : gap),
  paddingRight: none,
  paddingTop: () => 2,
  paddingBottom: () => 2,
});
