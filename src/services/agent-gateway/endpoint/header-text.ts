import type { IncomingHttpHeaders } from 'node:http';

/** The header's value; if it was sent more than once, all values joined, which never equals an expected value. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
