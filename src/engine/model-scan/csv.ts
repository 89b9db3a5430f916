/** CSV by RFC 4180: a header line, quoted fields with doubled quotes and line breaks. */

import type { Row } from './row.ts';

/** Each row has a value for each column: a line of commas above a million short lines would be as many values squared. */
const mostColumns = 200;

/**
 * Rows by the names of the header, in lower case.
 * @throws RangeError for a quote that is not closed, and too many columns
 */
export function* readCsv(text: string): Generator<Row> {
  let header: string[] | undefined;
  let row = 0;
  for (const fields of records(text)) {
    row += 1;
    if (fields.every((field) => field.trim() === '')) continue;
    if (header === undefined) {
      header = fields.map((field) => field.trim().toLowerCase());
      if (header.length > mostColumns)
        throw new RangeError(
          `the CSV has more than ${mostColumns} columns; leave out those that are not read`,
        );
      continue;
    }
    const value = Object.fromEntries(header.map((name, index) => [name, fields[index] ?? '']));
    yield {
      row,
      value,
      ...(fields.length > header.length && { notes: ['more fields than the header names'] }),
    };
  }
}

function* records(text: string): Generator<string[]> {
  let fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 2) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new RangeError('the CSV ends within a quoted field');
        field += text.slice(at, quote);
        at = quote;
        if (text[at + 1] !== '"') break;
        field += '"';
      }
      at += 1;
    }
    const end = nextEnd(text, at);
    fields.push(field + text.slice(at, end));
    if (text[end] !== ',') {
      yield fields.map((one) => one.replace(/\r$/, ''));
      fields = [];
    }
    at = end + 1;
  }
}

function nextEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') end += 1;
  return end;
}
