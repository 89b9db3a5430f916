/** Finds the server that a name or URI belongs to. */
import { RpcError, rpcCodes } from '#mcp/json-rpc.ts';
import type { Client } from '../guarding/ask.ts';
import { inspect } from '../guarding/inspect.ts';
import type { Kind, Offer } from '../upstreams/catalog.ts';
import type { LiveGateway } from './live-gateway.ts';

export const invalidParams = (message: string) => new RpcError(rpcCodes.invalidParams, message);

/** Why a server that learns who calls offers nothing to this caller; it may quote the server or its authorization server. */
async function refusalOf(live: LiveGateway, client: Client, kind: Kind): Promise<string> {
  const [refusal] = await live.catalog.refusals(kind, client);
  if (refusal === undefined) return '';
  const found = await inspect(live.guards, { gateway: live.gateway, name: kind }, refusal);
  return found?.withheld === true ? '' : `. Not everything is offered to you: ${refusal.slice(0, 500)}`;
}

/** The only offer with that name; synchronous if it is known. */
export function findOne(live: LiveGateway, client: Client, kind: Kind, name: string): Offer | Promise<Offer> {
  const offers = live.catalog.find(kind, name, client);
  // Nearly every call.
  if (!(offers instanceof Promise) && offers.length === 1 && offers[0] !== undefined) return offers[0];
  return onlyOne(live, client, kind, name, offers);
}

async function onlyOne(
  live: LiveGateway,
  client: Client,
  kind: Kind,
  name: string,
  found: readonly Offer[] | Promise<readonly Offer[]>,
): Promise<Offer> {
  const what = kind.slice(0, -1);
  const offers = await found;
  const [offer = await live.catalog.findUnread(kind, name, client), other] = offers;
  if (offer === undefined)
    throw invalidParams(`Unknown ${what}: ${name.slice(0, 200)}${await refusalOf(live, client, kind)}`);
  if (other !== undefined)
    throw invalidParams(
      `The ${what} ${name} is offered by ${offers.map(({ attachment }) => attachment.server.name).join(' and ')}: which one is meant cannot be told. ` +
        'Detach one of them.',
    );
  return offer;
}

/** Whether the URI may be an expansion of the template (RFC 6570). Each expression matches any text. */
function fitsTemplate(template: string, uri: string): boolean {
  const parts = template.split(/\{[^{}]*\}/);
  if (parts.length > 20) return false;
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (uri.startsWith(part) ? 0 : -1) : uri.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.at(-1) === '' || uri.endsWith(parts.at(-1) ?? '');
}

/** The server of a resource: it lists the resource, has a matching template, or is the only server with resources. */
export async function findResource(live: LiveGateway, client: Client, uri: string): Promise<Offer> {
  const listed = await live.catalog.find('resources', uri, client);
  if (listed.length > 0) return findOne(live, client, 'resources', uri);
  const templates = await live.catalog.list('templates', client);
  const fitting = templates.filter(({ ownName }) => fitsTemplate(ownName, uri));
  const servers = new Set(fitting.map(({ attachment }) => attachment.server.serverId));
  const [offer] = fitting;
  if (servers.size > 1)
    throw invalidParams(
      `The resource ${uri.slice(0, 200)} fits templates of ${fitting.map(({ attachment }) => attachment.server.name).join(' and ')}: which one is meant cannot be told.`,
    );
  if (offer !== undefined) return offer;
  const [only, another] = live.attachments;
  // Servers may have resources that they do not list; if there is only one server, it decides.
  if (only !== undefined && another === undefined)
    return { attachment: only, ownName: uri, name: uri, definition: {}, headerParams: [] };
  const code = client.era === 'modern' ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  throw new RpcError(code, `Resource not found: ${uri.slice(0, 200)}`, { uri });
}
