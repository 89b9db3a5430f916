/** What has changed in a server's tools since they were seen before. */
import type { Observation } from '#findings/finding.ts';
import type { Severity } from '#findings/severity.ts';
import { hashOf } from '../scanning/hashes.ts';
import type { ScannedTool } from '../scanning/result.ts';

export interface ToolChange {
  name: string;
  kind: ScannedTool['kind'];
  change: 'added' | 'removed' | 'changed';
  fields: { field: string; before: string; after: string }[];
}

const fieldsOf = ({
  description,
  title,
  inputSchema,
  outputSchema,
  annotations,
}: ScannedTool): Record<string, unknown> => ({
  description,
  title: title ?? '',
  input_schema: inputSchema ?? null,
  output_schema: outputSchema ?? null,
  annotations: annotations ?? null,
});

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')).slice(0, 20_000);

const keyOf = ({ kind, name }: ScannedTool) => `${kind}\n${name}`;

/** By meaning: the order of keys and white space do not count. */
export function toolChanges(before: readonly ScannedTool[], after: readonly ScannedTool[]): ToolChange[] {
  const earlier = new Map(before.map((tool) => [keyOf(tool), tool]));
  const later = new Map(after.map((tool) => [keyOf(tool), tool]));
  const changes: ToolChange[] = [];
  for (const [key, tool] of later) {
    const known = earlier.get(key);
    const { name, kind } = tool;
    if (known === undefined) {
      changes.push({
        name,
        kind,
        change: 'added',
        fields: [{ field: 'description', before: '', after: shown(tool.description) }],
      });
      continue;
    }
    const was = fieldsOf(known);
    const fields = Object.entries(fieldsOf(tool)).flatMap(([field, now]) =>
      hashOf(was[field]) === hashOf(now) ? [] : [{ field, before: shown(was[field]), after: shown(now) }],
    );
    if (fields.length > 0) changes.push({ name, kind, change: 'changed', fields });
  }
  for (const [key, { name, kind, description }] of earlier)
    if (!later.has(key))
      changes.push({
        name,
        kind,
        change: 'removed',
        fields: [{ field: 'description', before: shown(description), after: '' }],
      });
  return changes;
}

const rules = {
  description: ['W003', 'Entity Changed', 'medium', 'changed its description'],
  definition: ['W022', 'Definition Changed', 'low', 'changed its definition'],
  added: ['W023', 'Tool Added', 'low', 'is new'],
  removed: ['W024', 'Tool Removed', 'info', 'is gone'],
} as const satisfies Record<string, readonly [string, string, Severity, string]>;

/** A line of a difference; what has no description is shown by what it is. */
const line = (sign: '-' | '+', text: string, bare: string): string =>
  `${sign} ${text.slice(0, 2000) || bare}`;

function observation(
  kind: keyof typeof rules,
  { name, kind: what, change: how, fields }: ToolChange,
  field?: string,
): Observation {
  const [rule, title, severity, says] = rules[kind];
  const change = fields.find((each) => each.field === field) ?? fields[0];
  const evidence =
    change === undefined
      ? undefined
      : [
          line('-', change.before, how === 'removed' ? `${what} ${name}` : '(nothing)'),
          line('+', change.after, how === 'added' ? `${what} ${name}` : '(nothing)'),
        ].join('\n');
  return {
    rule,
    title,
    description: `${name} ${says} since it was scanned before${field === undefined ? '' : ` (${field})`}. A server that was approved can change into another one so.`,
    severity,
    confidence: 'high',
    subject: name,
    remedy:
      'Read the difference; if it is not what you expect, pin the tools (pin_tools of the agent gateway) or detach the server.',
    tags: ['change'],
    frameworks: [
      { framework: 'owasp-mcp', id: 'MCP03:2025' },
      { framework: 'cwe', id: 'CWE-345' },
    ],
    ...(evidence !== undefined && { evidence }),
  };
}

/** A finding for each difference: W003 for every description that differs, W022 for a schema, a title or hints. */
export function changesSince(before: readonly ScannedTool[], after: readonly ScannedTool[]): Observation[] {
  return toolChanges(before, after).flatMap((change) => {
    if (change.change !== 'changed') return [observation(change.change, change)];
    return change.fields.map(({ field }) =>
      observation(field === 'description' ? 'description' : 'definition', change, field),
    );
  });
}
