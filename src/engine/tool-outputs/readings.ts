/**
 * Other ways to read what a tool answered: what is encoded, escaped, coloured, marked up or broken into short lines, as
 * the sentences that it makes. Most answers have none. Pure, and linear in the text's length.
 */
import { viewsOf } from '../descriptions/views.ts';

// oxlint-disable-next-line no-control-regex -- colours and titles of terminals.
const terminalCodes = /\u001b(?:\[[\d;?]{0,20}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,300}(?:\u0007|\u001b\\))/g;
const markup = /<\/?[a-z][^<>]{0,500}>|<!--|-->/gi;
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const escapes = /&(lt|gt|amp|quot|apos|nbsp);|&#(\d{1,7});|&#x([\da-f]{1,6});|\\u([\da-f]{4})/gi;
/** Bytes of quoted-printable and of addresses, those of one letter together. */
const octets = { '=': /(?:=[\dA-F]{2})+/g, '%': /(?:%[\dA-F]{2})+/gi } as const;
const fewestOctets = 6;
/** With what lines of quotations, comments and differences begin. */
const lineStart = /^[ \t]*(?:[>|*#+]|\/\/|\/\*|--)?[ \t]*/;

const letterOf = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Tags between the letters of a word that only change how it looks. */
const withinWord =
  /(?<=\p{L})(?:<\/?(?:a|b|big|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u|wbr)(?:\s[^<>]{0,80})?\/?>){1,4}(?=\p{L})/giu;
const block = /^<\/?(?:br|p|div|li|td|th|tr|h\d)\b/i;

/** Quoted-printable, as in mails that are passed on raw, and escapes of addresses; letters beside them stay. */
function withoutOctets(text: string, sign: keyof typeof octets): string {
  const runs = text.match(octets[sign]) ?? [];
  if (runs.reduce((sum, run) => sum + run.length / 3, 0) < fewestOctets) return text;
  return (sign === '=' ? text.replaceAll(/=\r?\n/g, '') : text).replaceAll(octets[sign], (run) => {
    const bytes = Buffer.from(run.replaceAll(sign, ''), 'hex');
    const read = bytes.toString('utf8');
    return read.includes('\ufffd') ? bytes.toString('latin1') : read;
  });
}

/** The text as it is shown: without codes of terminals, mails and addresses, and without markup that cuts words apart. */
export const mended = (text: string): string => {
  const shown = text.includes('\u001b') ? text.replaceAll(terminalCodes, '') : text;
  const whole = shown.includes('<') ? shown.replaceAll(withinWord, '') : shown;
  const mail = whole.includes('=') ? withoutOctets(whole, '=') : whole;
  return mail.includes('%') ? withoutOctets(mail, '%') : mail;
};

const withoutMarkup = (text: string): string =>
  text.replaceAll(markup, (tag) => (block.test(tag) ? ' ' : ''));

const unescaped = (text: string): string =>
  text.replaceAll(escapes, (_, name?: string, decimal?: string, hex?: string, unit?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? '';
    return letterOf(decimal === undefined ? Number.parseInt(hex ?? unit ?? '', 16) : Number(decimal));
  });

const fewestLines = 4;
const mostWords = 6;
const wordsIn = (line: string): number => line.match(/\p{L}[\p{L}\p{M}'’-]*/gu)?.length ?? 0;
/** Signs of programs and data, whose lines make no sentence together. */
const codeSigns = /[{}()[\]=<>;|_`$\\]/g;
const mostCodeSigns = 0.01;

/** Lines of a few words each, none of which is a sentence, as one line. */
function joined(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(lineStart, ''));
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < fewestLines) return text;
  if ((text.match(codeSigns)?.length ?? 0) > text.length * mostCodeSigns) return text;
  const words = filled.reduce((sum, line) => sum + wordsIn(line), 0);
  return words <= filled.length * mostWords ? filled.join(' ') : text;
}

const between = /[|,;\t]/;
const [fewestRows, mostColumns] = [4, 12];
const mostWordsInCell = 3;

/**
 * The columns of a table whose cells are a word or a few, each as one line: a sentence may stand in one, a word a row.
 * Numbered lines are such tables too. The first cell may be the column's name.
 */
export function columnsOf(text: string): string[] {
  const columns: string[][] = [];
  for (const line of text.split('\n')) {
    const cells = line.replace(/^[ \t]*(?:\d{1,5}[.):]|[-*+>])[ \t]+/, ' | ').split(between);
    if (cells.length < 2) continue;
    for (const [at, cell] of cells.slice(0, mostColumns).entries()) (columns[at] ??= []).push(cell.trim());
  }
  return columns
    .map((cells) => cells.filter((cell) => /\p{L}/u.test(cell)))
    .filter(
      (cells) => cells.length >= fewestRows && wordsIn(cells.join(' ')) <= cells.length * mostWordsInCell,
    )
    .flatMap((cells) => [cells.join(' '), cells.slice(1).join(' ')]);
}

/** Every reading but the text as it stands. */
export function readingsOf(text: string): string[] {
  const bare = unescaped(withoutMarkup(text));
  const [{ text: plain } = { text: bare }, ...others] = viewsOf(bare);
  const readings = [bare, joined(bare), plain, ...others.map((view) => view.text)];
  return [...new Set(readings)].filter((reading) => reading !== text && reading.trim() !== '');
}
