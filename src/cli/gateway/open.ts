/** The agent gateway of a running Bulwark, as the command line talks to it. */
import { createClient } from '#base/contract/client.ts';
import type { Received } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import { attachmentOperations } from '#services/agent-gateway/contract/attachments.ts';
import { gatewayOperations } from '#services/agent-gateway/contract/gateways.ts';
import { oversightOperations } from '#services/agent-gateway/contract/oversight.ts';
import { serverOperations } from '#services/agent-gateway/contract/servers.ts';
import { agentGatewayUrlOf, keyOrSignIn, type SignInOptions } from '../connection.ts';

export interface GatewayOptions extends SignInOptions {
  as?: string;
  json?: boolean;
}

export type Gateway = Received<(typeof gatewayOperations)['getGateway']>;

/** Signs in by API key or user name, and returns the clients of the four contracts. */
export async function openGatewayService(options: GatewayOptions) {
  const baseUrl = agentGatewayUrlOf(options);
  const headers = await keyOrSignIn({
    ...options,
    baseUrl,
    ...(options.as === undefined ? {} : { username: options.as }),
  });
  const at = { baseUrl, headers };
  return {
    gateways: createClient(gatewayOperations, at),
    servers: createClient(serverOperations, at),
    attachments: createClient(attachmentOperations, at),
    oversight: createClient(oversightOperations, at),
  };
}

export type GatewayService = Awaited<ReturnType<typeof openGatewayService>>;

const pageSize = 1000;

async function named({ gateways }: GatewayService, name: string): Promise<Gateway[]> {
  const found: Gateway[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items, total } = await gateways.listGateways({ query: { limit: pageSize, offset } });
    found.push(...items.filter((each) => each.name === name));
    if (offset + pageSize >= total) return found;
  }
}

export const isGatewayId = (idOrName: string): boolean => /^gw_[\w-]{24}$/.test(idOrName);

/**
 * The gateway with the id or the name.
 * @throws AppError 404 where there is none; 409 where several have the name.
 */
export async function findGateway(service: GatewayService, idOrName: string): Promise<Gateway> {
  if (isGatewayId(idOrName)) return service.gateways.getGateway({ params: { gateway_id: idOrName } });
  const [first, ...others] = await named(service, idOrName);
  if (first === undefined)
    throw new AppError(
      404,
      'not_found',
      `There is no gateway named ${JSON.stringify(idOrName)}. \`bulwark gateway list\` shows those there are; \`bulwark gateway create ${JSON.stringify(idOrName)}\` makes it.`,
    );
  if (others.length > 0)
    throw new AppError(
      409,
      'ambiguous',
      `${others.length + 1} gateways are named ${JSON.stringify(idOrName)}: ${[first, ...others].map(({ id }) => id).join(', ')}. Give the id.`,
    );
  return first;
}
