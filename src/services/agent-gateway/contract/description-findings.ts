/** Descriptions that speak to the model. */
import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { userName } from '#identity/contract/sharing.ts';

export const serverName = () =>
  z.string().nullable().meta({ description: 'Kept after the server is deleted.' });

/** Two versions of a text, line by line. */
export const lineDifference = () =>
  z.array(z.object({ change: z.enum(['same', 'removed', 'added']), line: z.string() }));

/** Of a tool, prompt or resource, as the server sent it. */
export const Definition = z.record(z.string(), z.unknown());

/** `instructions` are what a server says of its own use. */
export const DescribedKind = z.enum(['tools', 'prompts', 'resources', 'templates', 'instructions']);

export const DescriptionFinding = z
  .object({
    server_id: z.string(),
    server_name: serverName(),
    kind: DescribedKind,
    name: z.string().meta({ description: 'The server’s name of it, or the URI of a resource.' }),
    hash: z.string().meta({ description: 'Identifies this wording of the definition.' }),
    definition: Definition,
    issues: z.array(
      z.object({
        code: z.string().meta({ description: 'As in MCP scans: `E…` errors, `W…` warnings.' }),
        category: z.string(),
        score: z.number(),
        field: z.string(),
        quote: z.string().meta({ description: 'The words that carried it; hidden characters are shown.' }),
        says: z.string(),
      }),
    ),
    found_at: isoTime(),
    status: z.enum(['waiting', 'approved']),
    approved_by: z.string().nullable(),
    approved_by_name: userName(),
    approved_at: isoTime().nullable(),
    difference: lineDifference().meta({
      description:
        'Line by line against the definition that was pinned; empty if there is none or it is the same.',
    }),
  })
  .meta({ id: 'DescriptionFinding' });
