import { textOf } from '#base/pdf/pdf-page.ts';
import { readPdf } from '#base/pdf/read-pdf.ts';
import { maxCharacters } from '../contract/extraction.ts';

/** Supported file types, by file extension. */
export const documentTypes = ['.pdf', '.txt', '.md'] as const;

export const isDocument = (name: string): boolean =>
  documentTypes.some((type) => name.toLowerCase().endsWith(type));

const marks: readonly [encoding: string, mark: readonly number[]][] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The text of a file.
 * @throws Error with a message for the user
 */
export async function readDocument(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  if (bytes.length === 0) throw new Error('The file is empty.');
  const text = name.toLowerCase().endsWith('.pdf')
    ? textOf(await readPdf(bytes, { signal })).text
    : decode(bytes);
  if (text.trim() === '') throw new Error('The file has no text.');
  if (text.length > maxCharacters)
    throw new Error(`The file has more than ${maxCharacters} characters. Send it in parts.`);
  return text;
}

function decode(bytes: Uint8Array): string {
  const encoding = marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0] ?? 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Old text files most often use the Western code page (Windows-1252).
    text = new TextDecoder('windows-1252').decode(bytes);
  }
  if (text.includes('\0')) throw new Error('The file is not text.');
  return text;
}
