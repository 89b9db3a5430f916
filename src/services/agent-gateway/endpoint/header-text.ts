import type { IncomingHttpHeaders } from 'node:http';

/** The header's value; where it was sent more than once, all of them, which is then none that is expected. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
