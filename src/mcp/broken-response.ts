/** Which request a response was for that cannot be parsed. */
import type { RequestId } from './json-rpc.ts';

/** Our ids are numbers. Servers write the id before the result or after it. */
const atStart = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*[,}]/;
const atEnd = /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * The id that stands at the start or the end of the text; undefined if it names none. What a server quotes in its result
 * stands in neither place.
 */
export function requestOfBroken(head: string, tail: string): RequestId | undefined {
  const found = atStart.exec(head) ?? atEnd.exec(tail);
  return found === null ? undefined : Number(found[1]);
}
