/** What identifies a tool's definition: the same for the same meaning, whatever the order of its keys. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { DescribedTool } from '#engine/descriptions/tool.ts';
import type { ScannedTool } from './result.ts';

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

/** What identifies a list of tools: the same for the same definitions, in whatever order they are listed. */
export const contentHashOf = (tools: readonly Pick<ScannedTool, 'kind' | 'name' | 'hashes'>[]): string =>
  hashOf(
    tools
      .map(({ kind, name, hashes }) => ({ kind, name, hashes: Object.values(hashes).join(' ') }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );

/** The SHA-256 of a file's bytes. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
