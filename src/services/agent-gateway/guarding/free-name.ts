import type { Fields } from '#mcp/json-rpc.ts';

/** Keys that are cleaned alike are told apart, so that no field takes another's place. */
export function freeName(name: string, fields: Fields, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let n = 2; taken.has(free) || Object.hasOwn(fields, free); n++) free = `${name} (${n})`;
  return free;
}
