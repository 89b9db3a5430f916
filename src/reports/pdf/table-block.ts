import type { Content } from 'pdfmake';
import { palette, tones } from '../charts/palette.ts';
import type { Block, Cell, Column } from '../document.ts';
import { rowLayout, sizes, textWidth } from './page.ts';
import type { TextWriter } from './writer.ts';

type TableBlock = Extract<Block, { kind: 'table' }>;

/** A row is never broken over pages, so a cell is at most this high. */
const mostLines = 24;
const mostRows = 10_000;
const padding = 12;
/** About the width of a letter against its size, in both fonts. */
const letterShare = { sans: 0.52, mono: 0.61 };

/** Widths in points: fixed, so that no long word can push a column over the edge. */
function widthsOf(columns: readonly Column[], width: number): number[] {
  const shares = columns.map(({ share = 1 }) => Math.max(0.05, share));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const room = width - columns.length * padding;
  return shares.map((share) => Math.floor((share / all) * room * 10) / 10);
}

/** So much of a text that it fills no more than the lines of a cell. */
function fitting(text: string, width: number, mono: boolean): { text: string; limit: number } {
  const letters = Math.max(
    4,
    Math.floor(width / (sizes.small * (mono ? letterShare.mono : letterShare.sans))),
  );
  const lines = text.split('\n');
  let left = mostLines;
  let limit = 0;
  for (const line of lines) {
    const taken = Math.max(1, Math.ceil(line.length / letters));
    if (taken > left) {
      limit += left * letters;
      break;
    }
    left -= taken;
    limit += line.length + 1;
    if (left === 0) break;
  }
  return { text, limit: Math.max(letters, limit) };
}

function cellOf(cell: Cell, column: Column, width: number, writer: TextWriter): Content {
  const { text, tone, bold } =
    typeof cell === 'object' ? cell : { text: String(cell), tone: undefined, bold: false };
  const mono = column.mono === true;
  return writer.text(text, {
    size: sizes.small,
    mono,
    limit: fitting(text, width, mono).limit,
    bold: bold === true,
    align: column.align ?? (typeof cell === 'number' ? 'right' : 'left'),
    ...(tone !== undefined && { colour: tones[tone].ink }),
  });
}

/** A table whose head comes again on each page and whose rows stay whole. */
export function tableBlock({ columns, rows, caption }: TableBlock, writer: TextWriter): Content[] {
  const widths = widthsOf(columns, textWidth);
  const head = columns.map(({ title, align }, i) =>
    writer.text(title, {
      size: sizes.small,
      bold: true,
      colour: palette.inkSoft,
      limit: fitting(title, widths[i] ?? 0, false).limit,
      ...(align !== undefined && { align }),
    }),
  );
  const body = rows
    .slice(0, mostRows)
    .map((row) => columns.map((column, i) => cellOf(row[i] ?? '', column, widths[i] ?? 0, writer)));
  const left = rows.length - body.length;
  const said = left === 0 ? undefined : `${left.toLocaleString('en')} more rows are left out.`;
  return [
    ...(caption === undefined
      ? []
      : [writer.text(caption, { size: sizes.small, bold: true, margin: [0, 4, 0, 4] })]),
    {
      table: { headerRows: 1, keepWithHeaderRows: 1, dontBreakRows: true, widths, body: [head, ...body] },
      layout: rowLayout,
      margin: [0, 0, 0, 10],
    },
    ...(said === undefined ? [] : [writer.text(said, { size: sizes.small, colour: palette.inkSoft })]),
  ];
}
