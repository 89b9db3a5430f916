/** What a gateway's list methods show to a caller. */
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import { listKeyOf } from '#mcp/protocol.ts';
import { isQuarantined, mayUse } from '../guarding/may-use.ts';
import type { Client } from '../guarding/ask.ts';
import { listMethods, type Kind, type Offer } from '../upstreams/catalog.ts';
import type { LiveGateway } from './live-gateway.ts';

/** The kind of offer that the list method returns. */
export const kindOf = (method: string): Kind | undefined =>
  (Object.keys(listMethods) as Kind[]).find((kind) => listMethods[kind] === method);

/** Whether the list shows the offer: the same rule that calls are checked by. */
async function isShown(live: LiveGateway, client: Client, kind: Kind, offer: Offer): Promise<boolean> {
  const isTool = kind === 'tools';
  if (!mayUse(live.gateway, client, offer, isTool)) return false;
  if (!isTool || live.gateway.pinTools === 'off') return true;
  return (await live.guards.pins.asPinned(offer)) || live.gateway.pinTools === 'warn';
}

/** What the client sees of it; undefined while it waits for a person's approval. */
async function definitionFor(live: LiveGateway, kind: Kind, offer: Offer): Promise<Fields | undefined> {
  const { descriptionGuard } = live.gateway;
  if (descriptionGuard === 'off') return offer.definition;
  if (await isQuarantined(live.guards, live.gateway, kind, offer)) return undefined;
  return (await live.guards.descriptions.read(kind, offer)).legible;
}

/** The result of a list method, filtered by the caller's rights. */
export async function listOffers(
  live: LiveGateway,
  client: Client,
  kind: Kind,
  method: string,
): Promise<Fields> {
  const items: Fields[] = [];
  const offers = await live.catalog.list(kind, client);
  if (kind === 'tools' && live.gateway.pinTools !== 'off')
    await live.guards.pins.pinNew(offers.filter((offer) => mayUse(live.gateway, client, offer, true)));
  for (const offer of offers) {
    await yieldToEventLoop();
    if (!(await isShown(live, client, kind, offer))) continue;
    const shown = await definitionFor(live, kind, offer);
    if (shown !== undefined) items.push(shown);
  }
  return { [listKeyOf(method) ?? kind]: items };
}
