import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { gatewayId, Message } from './gateways.ts';
import { McpServer, serverId } from './servers.ts';

const both = gatewayId.extend(serverId.shape);
const access = 'jwt_or_key';

export const attachmentOperations = {
  attachServer: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/mcp-servers/{server_id}',
    tag: 'Gateways',
    summary: 'Attach an MCP server',
    description:
      '409 if it is already attached, if a tool name would be longer than 64 characters or already taken, or if the gateway’s `scan_gate` refuses the server; nothing is attached then. With a `scan_gate` the answer may take as long as a scan of the server.',
    access,
    params: both,
    body: z
      .object({
        tool_prefix: z
          .string()
          .regex(/^[A-Za-z0-9_.-]{0,40}$/, {
            error: 'must have at most 40 characters, each a letter, a digit, `_`, `.` or `-`',
          })
          .nullish()
          .meta({
            description: 'Prefix of tool and prompt names; default `<server’s name>__`, may be empty.',
          }),
      })
      .nullish()
      .meta({ id: 'Attachment' }),
    status: 201,
    response: z
      .object({
        gateway_id: z.string(),
        mcp_server_id: z.string(),
        tool_prefix: z.string(),
        message: z.string(),
        problem: z.string().optional().meta({
          description:
            'Why the server does not answer; it is attached all the same. Absent where it does, or where what it offers was known already.',
        }),
        scan: z
          .object({
            scan_id: z.int().nullable(),
            outcome: z.enum(['passed', 'warned']),
            message: z.string().nullable(),
          })
          .optional()
          .meta({ description: 'What the `scan_gate` says; absent where it is off.' }),
      })
      .meta({ id: 'Attached' }),
    errors: [403, 404, 409, 503],
  }),
  detachServer: defineOperation({
    method: 'DELETE',
    path: '/api/gateways/{gateway_id}/mcp-servers/{server_id}',
    tag: 'Gateways',
    summary: 'Detach an MCP server',
    access,
    params: both,
    response: Message,
    errors: [403, 404],
  }),
  listAttachedServers: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/mcp-servers',
    tag: 'Gateways',
    summary: 'List the attached MCP servers',
    access,
    params: gatewayId,
    response: z.object({
      items: z.array(
        McpServer.extend({
          tool_prefix: z.string(),
          readable: z.boolean().meta({
            description: 'False for a private server of another user; its connection settings are hidden.',
          }),
          usable: z.boolean().meta({
            description:
              'False while the gateway may not use it: its owner is another than the gateway’s and does not share it. What it offers is not listed then. Servers that an administrator attached may be used.',
          }),
        }).meta({ id: 'AttachedServer' }),
      ),
      total: z.int(),
    }),
    errors: [404],
  }),
};
