/** What the servers of a gateway tell clients of their own use, as one text: each under its server's name. */
import { isQuarantined, mayUse } from '../guarding/may-use.ts';
import type { Client } from '../guarding/ask.ts';
import { tellsWhoCalls } from '../on-behalf/who.ts';
import type { Attachment } from '../registry/servers/server.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { LiveGateway } from './live-gateway.ts';

/** Clients put the text before every conversation: it is kept short. */
const [mostOfServer, mostOfAll] = [4000, 16_000];
/** A server that is not connected by then is left out: the client waits for this answer. */
const waitMs = 1000;

const kind = 'instructions';

const shortened = (text: string): string =>
  text.length > mostOfServer ? `${text.slice(0, mostOfServer).toWellFormed()}…` : text;

/** Undefined if the server says nothing, or cannot be reached in time. */
async function saidBy(
  live: LiveGateway,
  client: Client,
  { server }: Attachment,
): Promise<string | undefined> {
  // The same connection that lists of the server are read from: no session of its own is opened for it.
  const asker = tellsWhoCalls(server) ? { ...client, capabilities: {} } : undefined;
  const said = live.pool
    .use(server, asker, (connection) => Promise.resolve(connection.instructions))
    .catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), waitMs);
  try {
    return await Promise.race([said, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The text as the client may see it; undefined if it has none, or it waits for a person's approval. */
async function shownOf(
  live: LiveGateway,
  client: Client,
  attachment: Attachment,
): Promise<string | undefined> {
  const { gateway, guards } = live;
  const description = shortened((await saidBy(live, client, attachment))?.trim() ?? '');
  if (description === '') return undefined;
  const definition = { name: kind, description };
  const offer: Offer = { attachment, ownName: kind, name: kind, definition, headerParams: [] };
  if (gateway.descriptionGuard === 'off') return description;
  if (await isQuarantined(guards, gateway, kind, offer)) return undefined;
  const { legible } = await guards.descriptions.read(kind, offer);
  return String(legible['description']);
}

/** A server cannot speak under another's name. */
const underOwnName = (name: string, text: string): string =>
  `## ${name}\n\n${text.replaceAll(/^#{1,2}(?=[^#])/gm, '###')}`;

/** Undefined if no server that the caller may use says anything. */
export async function instructionsOf(live: LiveGateway, client: Client): Promise<string | undefined> {
  const usable = live.attachments.filter((attachment) =>
    mayUse(
      live.gateway,
      client,
      { attachment, ownName: kind, name: kind, definition: {}, headerParams: [] },
      false,
    ),
  );
  const texts = await Promise.all(usable.map((attachment) => shownOf(live, client, attachment)));
  const parts: string[] = [];
  let left = mostOfAll;
  for (const [at, text] of texts.entries()) {
    if (text === undefined) continue;
    const part = underOwnName(usable[at]?.server.name ?? '', text);
    if (part.length > left) continue;
    parts.push(part);
    left -= part.length;
  }
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
