/** A tool's definition as the gateway first saw it. Pure. */
import { hash } from 'node:crypto';
import type { Fields } from '#mcp/json-rpc.ts';

const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The value with sorted object keys, so that equal values have equal JSON. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, canonical(each)]),
  );
}

/** The parts of a tool's definition that influence an agent. */
export const pinnedPart = (definition: Fields): Fields =>
  Object.fromEntries(
    pinned.filter((key) => definition[key] !== undefined).map((key) => [key, definition[key]]),
  );

export const pinHash = (definition: Fields): string =>
  hash('sha256', JSON.stringify(canonical(pinnedPart(definition))));

/** A changed field, before and after. */
export interface PinDifference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function differences(before: Fields, after: Fields): PinDifference[] {
  return pinned
    .filter((key) => JSON.stringify(canonical(before[key])) !== JSON.stringify(canonical(after[key])))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}
