/** Tools, resources and prompts, as MCP servers return them. */
import { z } from 'zod';

/** As returned by the server. */
export const Tool = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    inputSchema: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Tool' });

export const Resource = z
  .looseObject({
    uri: z.string(),
    name: z.string(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  })
  .meta({ id: 'McpResource' });
