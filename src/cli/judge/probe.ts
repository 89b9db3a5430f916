/** Sixty texts of our own, which no weights were trained on, for trying out a judge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { detectorSlugs, type PolicySource } from '#engine/text/types.ts';

const File = z.object({
  policies: z.array(
    z.object({
      name: z.string(),
      description: z.string().default(''),
      block_activities: z.array(z.string()).default([]),
      safe_activities: z.array(z.string()).default([]),
      detector: z.enum(detectorSlugs).optional(),
      violating: z.array(z.string()),
      harmless: z.array(z.string()),
    }),
  ),
});

/** A text, and the one policy that it is judged by. */
export interface ProbeRow {
  readonly policy: PolicySource;
  readonly text: string;
  readonly violates: boolean;
}

const file = join(import.meta.dirname, '../../../data/judge/probe.json');

/** In turns of violating and harmless, so that a part of them says something too. */
export function readProbe(): ProbeRow[] {
  const { policies } = File.parse(JSON.parse(readFileSync(file, 'utf8')));
  const rowsOf = policies.map(({ violating, harmless, ...written }) => {
    const policy: PolicySource = {
      name: written.name,
      description: written.description,
      blockActivities: written.block_activities,
      safeActivities: written.safe_activities,
      ...(written.detector !== undefined && { detector: written.detector }),
    };
    return violating.flatMap((text, i) => [
      { policy, text, violates: true },
      ...harmless.slice(i, i + 1).map((other) => ({ policy, text: other, violates: false })),
    ]);
  });
  const longest = Math.max(...rowsOf.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => rowsOf.flatMap((rows) => rows.slice(i, i + 1))).flat();
}
