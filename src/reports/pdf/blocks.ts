import type { Content } from 'pdfmake';
import { chartSvg } from '../charts/chart.ts';
import { palette, tones } from '../charts/palette.ts';
import type { Block, KeyFigure } from '../document.ts';
import { visibleText } from '../visible-text.ts';
import { codeBox, factRows, findingBlock } from './finding-block.ts';
import { boxLayout, lineHeight, sizes, textWidth } from './page.ts';
import { tableBlock } from './table-block.ts';
import { inSans } from './text-runs.ts';
import type { TextWriter } from './writer.ts';

/** Where blocks stand: in how many sections, under which bookmark. */
interface Place {
  depth: number;
  parent: string | undefined;
}

const figuresInRow = 4;
/** So much room stays below a heading, or it goes over with what it heads. */
const roomBelowHeading = 70;

const caption = (text: string | undefined, writer: TextWriter): Content[] =>
  text === undefined
    ? []
    : [writer.text(text, { size: sizes.small, colour: palette.inkSoft, limit: 600, margin: [0, 0, 0, 8] })];

function figureTile({ label, value, note, tone = 'neutral' }: KeyFigure, writer: TextWriter): Content {
  return {
    stack: [
      writer.text(label, { size: 7.5, colour: palette.inkSoft, limit: 60 }),
      writer.text(value, {
        size: 17,
        bold: true,
        colour: tone === 'neutral' ? palette.ink : tones[tone].ink,
        limit: 24,
      }),
      writer.text(note ?? ' ', { size: 7.5, colour: palette.inkSoft, limit: 90 }),
    ],
    fillColor: tone === 'neutral' ? palette.raised : tones[tone].soft,
  };
}

/** Tiles of four in a row, with white lines between them. */
function summary(figures: readonly KeyFigure[], writer: TextWriter): Content[] {
  const perRow = Math.min(figuresInRow, Math.max(1, figures.length));
  const gap = 6;
  const width = (textWidth - gap * (perRow - 1)) / perRow - 20;
  const rows: Content[] = [];
  for (let at = 0; at < figures.length; at += perRow) {
    const tiles = figures.slice(at, at + perRow).map((figure) => figureTile(figure, writer));
    const empty: Content[] = Array.from({ length: perRow - tiles.length }, () => ({ text: '' }));
    rows.push({
      table: {
        dontBreakRows: true,
        widths: Array.from({ length: perRow }, () => width),
        body: [[...tiles, ...empty]],
      },
      layout: {
        ...boxLayout(),
        vLineWidth: (i) => (i === 0 || i === perRow ? 0 : gap),
        vLineColor: () => palette.paper,
      },
      margin: [0, 0, 0, gap],
    });
  }
  return rows;
}

function heading(
  title: string,
  startsPage: boolean,
  place: Place,
  writer: TextWriter,
): { id: string; content: Content[] } {
  const id = writer.nextHeadingId();
  const level = Math.min(place.depth, sizes.heading.length - 1);
  const size = sizes.heading[level] ?? sizes.body;
  const plain = visibleText(title).slice(0, 160);
  const content: Content = {
    ...writer.text(title, { size, bold: true, limit: 300 }),
    id,
    margin: [0, level === 0 ? 10 : 8, 0, level === 0 ? 8 : 5],
    lineHeight: 1.15,
    ...(level < 2 && {
      tocItem: true,
      tocStyle: { fontSize: sizes.body },
      tocMargin: [level * 12, level === 0 ? 5 : 1, 0, 0],
    }),
    outline: true,
    outlineText: plain,
    outlineExpanded: level === 0,
    ...(place.parent !== undefined && { outlineParentId: place.parent }),
    ...(startsPage && { pageBreak: 'before' as const }),
  };
  // What follows is drawn over the empty room again.
  const room: Content = { text: ' ', fontSize: 1, lineHeight: 1, margin: [0, 0, 0, roomBelowHeading] };
  const back: Content = { text: ' ', fontSize: 1, lineHeight: 1, margin: [0, -roomBelowHeading - 2.7, 0, 0] };
  return { id, content: startsPage ? [content] : [{ stack: [content, room], unbreakable: true }, back] };
}

/** The library's content for a block. */
export function contentOf(block: Block, place: Place, writer: TextWriter): Content[] {
  switch (block.kind) {
    case 'section': {
      const { id, content } = heading(block.title, block.startsPage === true, place, writer);
      const within = { depth: place.depth + 1, parent: id };
      return [...content, ...block.blocks.flatMap((each) => contentOf(each, within, writer))];
    }
    case 'summary':
      return summary(block.figures, writer);
    case 'paragraph':
      return [writer.text(block.text, { margin: [0, 0, 0, 7] })];
    case 'list':
      return [listOf(block.items, block.ordered === true, writer)];
    case 'facts':
      return [factRows(block.facts, textWidth, writer), { text: ' ', fontSize: 4 }];
    case 'table':
      return tableBlock(block, writer);
    case 'chart':
      return [
        {
          svg: chartSvg(inSans(block.chart, writer.book), textWidth),
          width: textWidth,
          font: 'Sans',
          margin: [0, 4, 0, 6],
        },
        ...caption(block.caption, writer),
      ];
    case 'code':
      return [codeBox(block.text, textWidth, writer), ...caption(block.caption, writer)];
    case 'call_out': {
      const tone = tones[block.tone];
      const title =
        block.title === undefined
          ? []
          : [writer.text(block.title, { bold: true, colour: tone.ink, limit: 200 })];
      return [
        {
          table: {
            widths: [textWidth - 22.5],
            body: [[{ stack: [...title, writer.text(block.text, { limit: 4000 })], fillColor: tone.soft }]],
          },
          layout: boxLayout(tone.ink),
          margin: [0, 2, 0, 10],
          unbreakable: block.text.length < 1200,
        },
      ];
    }
    case 'finding':
      return [findingBlock(block.finding, writer)];
  }
}

function listOf(items: readonly string[], ordered: boolean, writer: TextWriter): Content {
  const entries = items
    .slice(0, 2000)
    .map((item) => writer.text(item, { limit: 4000, margin: [0, 0, 0, 2] }));
  const look = {
    margin: [0, 0, 0, 8] as [number, number, number, number],
    markerColor: palette.accent,
    lineHeight,
  };
  return ordered ? { ol: entries, ...look } : { ul: entries, ...look };
}
