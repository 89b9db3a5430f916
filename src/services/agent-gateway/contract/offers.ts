/** What MCP servers offer, as they sent it. */
import { z } from 'zod';

/** As the server sent it. */
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
