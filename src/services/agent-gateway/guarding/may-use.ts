/** What a client may see and call of what a gateway offers. */
import { isAllowed } from './access/access.ts';
import type { Client } from './ask.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Descriptions, ReadDefinition } from './descriptions/descriptions.ts';
import type { DescribedKind } from './descriptions/judge-definition.ts';

/** Checked by the same rule as lists. */
export const mayUse = (
  { accessControl }: Gateway,
  { caller }: Client,
  { attachment: { server }, name }: Offer,
  isTool: boolean,
): boolean =>
  isAllowed(
    accessControl,
    { userId: caller.userId, roles: caller.roles, clientId: caller.oauth?.clientId },
    { serverId: server.serverId, serverName: server.name, tool: isTool ? name : undefined },
  );

/** Whether what the definition says must be approved before it is listed or used; synchronous if nothing speaks for it. */
export function isQuarantined(
  { descriptions }: { readonly descriptions: Descriptions },
  { descriptionGuard, guardMode }: Gateway,
  kind: DescribedKind,
  offer: Offer,
): boolean | Promise<boolean> {
  if (descriptionGuard !== 'quarantine' || guardMode !== 'enforce') return false;
  const read = descriptions.read(kind, offer);
  return read instanceof Promise ? read.then(isFlagged) : isFlagged(read);
}

const isFlagged = ({ state }: ReadDefinition): boolean => state === 'flagged';
