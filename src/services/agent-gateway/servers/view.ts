import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import { hiddenValue, type serverOperations } from '../contract/servers.ts';
import type { Discovery, McpServer } from './server.ts';

export const viewServer = (server: McpServer, gatewayIds: readonly string[]) => ({
  id: server.serverId,
  name: server.name,
  transport: server.transport,
  connection_url: server.connectionUrl,
  command: server.command,
  args: [...server.args],
  env: Object.fromEntries(Object.keys(server.env).map((name) => [name, hiddenValue])),
  auth_type: 'none' as const,
  identity_scheme: server.identityScheme,
  registered_by: server.ownerId,
  created_at: toIsoTime(server.createdAt),
  updated_at: toIsoTime(server.updatedAt),
  gateway_ids: [...gatewayIds],
});

export const viewTime = ({ at }: Discovery) => ({ last_discovery_at: at === null ? null : toIsoTime(at) });

export type SentServer = z.output<typeof serverOperations.updateServer.body>;
