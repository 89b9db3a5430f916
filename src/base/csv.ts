/** Lines of CSV for spreadsheets. */

/**
 * By RFC 4180. A spreadsheet would take a text that begins with one of these signs for a formula: an apostrophe before it
 * makes it a text.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value) ? value.join(' ') : String(value as string);
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
