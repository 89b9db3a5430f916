/** The text of a PDF: the lines of its pages with layout information. */

export interface PdfLine {
  readonly text: string;
  /** Largest font size of the line, in points. */
  readonly size: number;
  /** The line is separated from the one above it. */
  readonly opens: boolean;
}

export type PdfPage = readonly PdfLine[];

/** All pages joined into one text. */
export interface PdfText {
  /** Headings begin with `# `, paragraphs are separated by an empty line; headers and footers are omitted. */
  readonly text: string;
  /** The page of each line of `text`, counted from 1. */
  readonly pageOfLine: readonly number[];
}

/** A heading's font size divided by the body's. */
const headingRatio = 1.12;
const longestHeading = 120;

export function textOf(pages: readonly PdfPage[]): PdfText {
  const bodySize = sizeOfMost(pages);
  const isRepeated = repeatedLines(pages, bodySize);
  const lines: string[] = [];
  const pageOfLine: number[] = [];
  const put = (line: string, page: number) => {
    lines.push(line);
    pageOfLine.push(page);
  };
  for (const [i, page] of pages.entries())
    for (const [j, line] of page.entries()) {
      const { text, opens } = line;
      const atEdge = j === 0 || j === page.length - 1;
      if (atEdge && isRepeated(line, i)) continue;
      const isHeading = isLarge(line, bodySize);
      // A paragraph may continue on the next page; only the layout inside a page shows where one starts.
      if ((opens && j > 0) || isHeading) put('', i + 1);
      put(isHeading ? `# ${text}` : text, i + 1);
      if (isHeading) put('', i + 1);
    }
  return { text: lines.join('\n'), pageOfLine };
}

/** The most common font size. */
function sizeOfMost(pages: readonly PdfPage[]): number {
  const letters = new Map<number, number>();
  for (const { text, size } of pages.flat()) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), [Infinity, 0])[0];
}

const isLarge = ({ text, size }: PdfLine, bodySize: number) =>
  size > bodySize * headingRatio && text.length <= longestHeading;

/** Keys of a line: the line itself, and one per number in it, with the number relative to the page's. */
function keysOf(line: string, index: number): string[] {
  const numbers = [...line.matchAll(/\d{1,5}/g)].slice(0, 4);
  return [
    line,
    ...numbers.map(({ 0: digits, index: at }) => {
      const offset = Number(digits) - index;
      return `${line.slice(0, at)}#${offset}#${line.slice(at + digits.length)}`;
    }),
  ];
}

type IsRepeated = (line: PdfLine, index: number) => boolean;

/** Detects headers and footers: lines at the top or bottom of half of the pages (at least three), page numbers aside. */
function repeatedLines(pages: readonly PdfPage[], bodySize: number): IsRepeated {
  const counts = new Map<string, number>();
  for (const [index, page] of pages.entries())
    for (const key of new Set(
      [page.at(0), page.at(-1)].flatMap((edge) => (edge ? keysOf(edge.text, index) : [])),
    ))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const enough = Math.max(3, pages.length / 2);
  return (line, index) =>
    !isLarge(line, bodySize) && keysOf(line.text, index).some((key) => (counts.get(key) ?? 0) >= enough);
}
