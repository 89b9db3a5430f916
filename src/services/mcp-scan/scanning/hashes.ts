/** What identifies a tool's definition: the same for the same meaning, whatever the order of its keys. */
import { createHash } from 'node:crypto';
import type { DescribedTool } from '#engine/descriptions/tool.ts';

/** JSON with sorted keys and normalised text; white space around and within texts does not count. */
function canonical(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC').replaceAll(/\s+/g, ' ').trim());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > 64) return '"…"';
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth + 1)).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each, depth + 1)}`).join(',')}}`;
}

export const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

/** One hash for each part that an agent reads. */
export const hashesOf = (tool: DescribedTool): Record<string, string> => ({
  description: hashOf(tool.description),
  title: hashOf(tool.title ?? ''),
  input_schema: hashOf(tool.inputSchema ?? null),
  output_schema: hashOf(tool.outputSchema ?? null),
  annotations: hashOf(tool.annotations ?? null),
});
