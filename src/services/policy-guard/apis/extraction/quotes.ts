/** Finds a quote on the pages of a document, ignoring white space. */
import type { PdfPage } from '#base/pdf/pdf-page.ts';

/** The page of a quote, counted from 1; undefined if it occurs on no page. */
export type FindPage = (quote: string, from?: number) => number | undefined;

/** Line ends, hyphens at them, kinds of quotation marks and capitals do not matter. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Shorter quotes could occur anywhere. */
const shortestQuote = 12;

/**
 * A quote that runs over the end of a page is on the one where it begins. `from` is where it is looked for first:
 * the same sentence may stand on several pages.
 */
export function createFindPage(pages: readonly PdfPage[]): FindPage {
  const texts = pages.map((page) => bare(page.map(({ text }) => text).join('')));
  const at = (index: number, wanted: string): boolean => {
    const text = texts[index] ?? '';
    if (text.includes(wanted)) return true;
    const tail = text.slice(-wanted.length);
    const head = (texts[index + 1] ?? '').slice(0, wanted.length);
    const seam = `${tail}${head}`.indexOf(wanted);
    return seam >= 0 && seam < tail.length;
  };
  return (quote, from = 1) => {
    const wanted = bare(quote);
    if (wanted.length < shortestQuote) return undefined;
    const order = [...texts.keys()];
    const index = [...order.slice(from - 1), ...order.slice(0, from - 1)].find((each) => at(each, wanted));
    return index === undefined ? undefined : index + 1;
  };
}

/** Whether one of the quotes contains the passage, or most of it. */
export function holdsQuote(quotes: readonly string[]): (wanted: string) => boolean {
  const all = quotes.map(bare).filter((quote) => quote.length >= shortestQuote);
  return (wanted) => {
    const text = bare(wanted);
    return all.some((quote) => quote.includes(text) || text.includes(quote));
  };
}
