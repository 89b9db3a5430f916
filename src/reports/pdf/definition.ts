import type { Content, DocumentDefinition } from 'pdfmake';
import { palette } from '../charts/palette.ts';
import type { ReportDocument } from '../document.ts';
import { cutText, visibleText } from '../visible-text.ts';
import { contentOf } from './blocks.ts';
import { factRows } from './finding-block.ts';
import { page, sizes, textWidth } from './page.ts';
import type { TextWriter } from './writer.ts';

const dateOf = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function cover(
  { title, subtitle, createdAt, classification, facts = [] }: ReportDocument,
  writer: TextWriter,
): Content[] {
  const all = [{ name: 'Date', value: dateOf(createdAt) }, ...facts];
  return [
    { canvas: [{ type: 'rect', x: 0, y: 0, w: 46, h: 4, color: palette.accent }], margin: [0, 130, 0, 22] },
    ...(classification === undefined
      ? []
      : [
          writer.text(classification.toUpperCase(), {
            size: 8,
            bold: true,
            colour: palette.accent,
            limit: 80,
            margin: [0, 0, 0, 8],
          }),
        ]),
    { ...writer.text(title, { size: 28, bold: true, limit: 240 }), lineHeight: 1.12 },
    ...(subtitle === undefined
      ? []
      : [writer.text(subtitle, { size: 13, colour: palette.inkSoft, limit: 400, margin: [0, 8, 0, 0] })]),
    {
      canvas: [{ type: 'line', x1: 0, y1: 0, x2: textWidth, y2: 0, lineWidth: 0.7, lineColor: palette.line }],
      margin: [0, 34, 0, 14],
    },
    factRows(all, textWidth, writer),
  ];
}

const hasSections = ({ blocks }: ReportDocument): boolean => blocks.some(({ kind }) => kind === 'section');

/** The library's document for ours: cover, contents, then the blocks. */
export function definitionOf(document: ReportDocument, writer: TextWriter): DocumentDefinition {
  const { title, subtitle, createdAt, classification, blocks } = document;
  const running = writer.runs(cutText(title, 90), { size: 7.5 });
  const foot = writer.runs(classification === undefined ? ' ' : cutText(classification, 60), { size: 7.5 });
  const small = { fontSize: 7.5, color: palette.inkSoft, font: 'Sans' };
  const contents: Content[] = hasSections(document)
    ? [
        {
          toc: {
            title: {
              text: 'Contents',
              font: 'Sans',
              fontSize: sizes.heading[0],
              bold: true,
              margin: [0, 0, 0, 8],
            },
            numberStyle: { color: palette.inkSoft },
          },
          pageBreak: 'before',
        },
      ]
    : [];
  const body = blocks.flatMap((block) => contentOf(block, { depth: 0, parent: undefined }, writer));
  return {
    content: [
      ...cover(document, writer),
      ...contents,
      { text: ' ', fontSize: 1, pageBreak: 'before' },
      ...body,
    ],
    pageSize: 'A4',
    pageMargins: [page.margin, page.top, page.margin, page.bottom],
    defaultStyle: { font: 'Sans', fontSize: sizes.body, color: palette.ink },
    header: (current) =>
      current === 1 ? null : { text: running, ...small, margin: [page.margin, 34, page.margin, 0] },
    footer: (current, count) =>
      current === 1
        ? null
        : {
            columns: [
              { text: foot, ...small },
              { text: `${current} / ${count}`, ...small, alignment: 'right' },
            ],
            margin: [page.margin, 22, page.margin, 0],
          },
    info: {
      title: visibleText(cutText(title, 300)),
      ...(subtitle !== undefined && { subject: visibleText(cutText(subtitle, 400)) }),
      author: 'Bulwark',
      creator: 'Bulwark',
      producer: 'Bulwark',
      creationDate: createdAt,
    },
    language: 'en',
    displayTitle: true,
    version: '1.7',
  };
}
