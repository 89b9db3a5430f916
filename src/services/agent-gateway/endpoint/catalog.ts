/** What the servers of one gateway offer, under the names that its clients see. */
import type { Clock } from '#base/clock.ts';
import { headerParamsOf, type HeaderParam } from '#mcp/header-values.ts';
import { fieldsOf, isFields, type Fields } from '#mcp/json-rpc.ts';
import { listKeyOf } from '#mcp/protocol.ts';
import { maxToolNameLength } from '../contract/servers.ts';
import type { Attachment } from '../servers/server.ts';
import type { Pool } from '../upstreams/pool.ts';

export const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
} as const;
export type Kind = keyof typeof listMethods;

/** Something that a server offers. */
export interface Offer {
  readonly attachment: Attachment;
  /** As the server calls it: the name of a tool or prompt, the URI of a resource. */
  readonly ownName: string;
  /** As clients see it. */
  readonly name: string;
  /** As the server describes it, under the name that clients see. */
  readonly definition: Fields;
  /** Arguments that the tool wants repeated in headers. */
  readonly headerParams: readonly HeaderParam[];
}

export interface Catalog {
  /** In the order of attachment, then the server's own. Servers that do not answer are left out. */
  list(kind: Kind): Promise<readonly Offer[]>;
  /** More than one where servers offer the same. */
  find(kind: Kind, name: string): Promise<readonly Offer[]>;
  /** What is known of the server's lists no longer holds. */
  changed(serverId: string, kind?: Kind): void;
}

interface CatalogDeps {
  readonly attachments: readonly Attachment[];
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

interface Listed {
  readonly items: Promise<readonly Fields[]>;
  readonly atMs: number;
  failed: boolean;
}

/** A list is asked for again after so long, should its server not tell of changes. */
const freshMs = 60_000;
/** After a failure. */
const retryMs = 5000;
const maxPages = 100;
const maxItems = 10_000;

const capabilityOf = (kind: Kind) => (kind === 'templates' ? 'resources' : kind);
const nameField = (kind: Kind) =>
  kind === 'resources' ? 'uri' : kind === 'templates' ? 'uriTemplate' : 'name';
const isPrefixed = (kind: Kind) => kind === 'tools' || kind === 'prompts';

/** A whole list of a server, page by page. */
export async function fetchList(
  pool: Pool,
  { server }: Pick<Attachment, 'server'>,
  kind: Kind,
  timeoutMs: number,
): Promise<Fields[]> {
  const method = listMethods[kind];
  return pool.use(server, undefined, async (connection) => {
    if (connection.capabilities[capabilityOf(kind)] === undefined) return [];
    const items: Fields[] = [];
    let cursor: unknown;
    for (let pages = 0; pages < maxPages && items.length < maxItems; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await connection.request({ method, params, timeoutMs });
      const listed = result[listKeyOf(method) ?? ''];
      if (Array.isArray(listed)) items.push(...listed.filter(isFields));
      cursor = result['nextCursor'];
      if (typeof cursor !== 'string' || cursor === '') break;
    }
    return items.slice(0, maxItems);
  });
}

/** What a tool needs to be usable at all; one that lacks it is left out, as if it were not there. */
const isSound = (kind: Kind, item: Fields): boolean => {
  const name = item[nameField(kind)];
  if (typeof name !== 'string' || name === '') return false;
  return kind !== 'tools' || (isFields(item['inputSchema']) && item['inputSchema']['type'] === 'object');
};

export function createCatalog({ attachments, pool, clock, timeoutMs }: CatalogDeps): Catalog {
  const lists = new Map<string, Listed>();
  const indexes = new Map<Kind, Promise<Index>>();

  interface Index {
    readonly offers: readonly Offer[];
    readonly byName: ReadonlyMap<string, readonly Offer[]>;
    /** The index is made anew after that. */
    readonly untilMs: number;
  }

  const ask = (attachment: Attachment, kind: Kind): Listed => {
    const key = `${attachment.server.serverId}\n${kind}`;
    const known = lists.get(key);
    const ageMs = clock.now() - (known?.atMs ?? 0);
    if (known !== undefined && ageMs < (known.failed ? retryMs : freshMs)) return known;
    const entry: Listed = {
      atMs: clock.now(),
      failed: false,
      // A server that is away is told of in the gateway's status; its tools are simply not there.
      items: fetchList(pool, attachment, kind, timeoutMs).catch(() => {
        entry.failed = true;
        return [];
      }),
    };
    lists.set(key, entry);
    return entry;
  };

  const offerOf = (attachment: Attachment, kind: Kind, item: Fields): Offer[] => {
    if (!isSound(kind, item)) return [];
    const ownName = String(item[nameField(kind)]);
    const name = isPrefixed(kind) ? attachment.toolPrefix + ownName : ownName;
    if (isPrefixed(kind) && attachment.toolPrefix !== '' && name.length > maxToolNameLength) return [];
    const headerParams = kind === 'tools' ? headerParamsOf(fieldsOf(item['inputSchema'])) : [];
    // A tool that declares its headers wrongly cannot be called as it wants to be.
    if (headerParams === undefined) return [];
    return [
      {
        attachment,
        ownName,
        name,
        definition: isPrefixed(kind) ? { ...item, name } : item,
        headerParams,
      },
    ];
  };

  const build = async (kind: Kind): Promise<Index> => {
    const listed = attachments.map((attachment) => ({ attachment, ...ask(attachment, kind) }));
    const found = await Promise.all(
      listed.map(async ({ attachment, items }) =>
        (await items).flatMap((item) => offerOf(attachment, kind, item)),
      ),
    );
    const offers = found.flat();
    const anyFailed = attachments.some(
      ({ server }) => lists.get(`${server.serverId}\n${kind}`)?.failed === true,
    );
    return {
      offers,
      byName: Map.groupBy(offers, ({ name }) => name),
      untilMs: clock.now() + (anyFailed ? retryMs : freshMs),
    };
  };

  const indexOf = async (kind: Kind): Promise<Index> => {
    const known = indexes.get(kind);
    if (known !== undefined) {
      const index = await known;
      if (clock.now() < index.untilMs) return index;
      if (indexes.get(kind) === known) indexes.delete(kind);
    }
    const made = indexes.get(kind) ?? build(kind);
    indexes.set(kind, made);
    return made;
  };

  return {
    list: async (kind) => (await indexOf(kind)).offers,
    find: async (kind, name) => (await indexOf(kind)).byName.get(name) ?? [],
    changed(serverId, kind) {
      const kinds = kind === undefined ? (Object.keys(listMethods) as Kind[]) : [kind];
      for (const each of kinds) {
        lists.delete(`${serverId}\n${each}`);
        indexes.delete(each);
      }
    },
  };
}
