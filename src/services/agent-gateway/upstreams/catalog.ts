/** What the servers of one gateway offer, under the names that its clients see. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { headerParamsOf, type HeaderParam } from '#mcp/header-values.ts';
import { fieldsOf, isFields, type Fields } from '#mcp/json-rpc.ts';
import { listKeyOf } from '#mcp/protocol.ts';
import { maxToolNameLength } from '../contract/servers.ts';
import type { Attachment } from '../registry/servers/server.ts';
import { keyOf, tellsWhoCalls } from '../on-behalf/who.ts';
import type { Asker, Pool } from './pool.ts';

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
  /**
   * In the order of attachment, then the server's own. Servers that do not answer are left out; of those that learn who
   * calls, what they offer to who asks, or what is known of them where they offer nothing yet.
   */
  list(kind: Kind, asker?: Asker): Promise<readonly Offer[]>;
  /** More than one where servers offer the same. */
  find(kind: Kind, name: string, asker?: Asker): Promise<readonly Offer[]>;
  /** What is known of the server's lists no longer holds. */
  changed(serverId: string, kind?: Kind): void;
}

interface CatalogDeps {
  readonly attachments: readonly Attachment[];
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** What was found at the last discovery. */
  readonly lastFound: (serverId: string, kind: Kind) => Promise<readonly Fields[]>;
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
  { pool, timeoutMs }: Pick<CatalogDeps, 'pool' | 'timeoutMs'>,
  { server }: Pick<Attachment, 'server'>,
  kind: Kind,
  asker: Asker | undefined,
): Promise<Fields[]> {
  const method = listMethods[kind];
  // Lists are not asked back about.
  return pool.use(server, asker && { ...asker, capabilities: {} }, async (connection) => {
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

interface Index {
  readonly offers: readonly Offer[];
  readonly byName: ReadonlyMap<string, readonly Offer[]>;
  /** The index is made anew after that. */
  readonly untilMs: number;
}

/** What some see alike: everybody, or one user where servers learn who calls. */
interface View {
  readonly lists: Map<string, Listed>;
  readonly indexes: Map<Kind, Promise<Index>>;
}

const newView = (): View => ({ lists: new Map(), indexes: new Map() });

/** Users whose views are kept. */
const maxViews = 500;

export function createCatalog(deps: CatalogDeps): Catalog {
  const { attachments, clock, lastFound } = deps;
  const everybody = newView();
  const views = new LRUCache<string, View>({ max: maxViews });
  const told = attachments.filter(({ server }) => tellsWhoCalls(server));
  const byToken = told.some(({ server }) => server.identityScheme === 'bearer');

  const viewOf = (asker: Asker | undefined): View => {
    if (told.length === 0 || asker === undefined) return everybody;
    const key = keyOf(asker, byToken);
    const view = views.get(key) ?? newView();
    views.set(key, view);
    return view;
  };

  const fetchItems = async (
    attachment: Attachment,
    kind: Kind,
    asker: Asker | undefined,
    failed: () => void,
  ): Promise<readonly Fields[]> => {
    const { server } = attachment;
    if (!tellsWhoCalls(server))
      // A server that is away is told of in the gateway's status; its tools are simply not there.
      return fetchList(deps, attachment, kind, undefined).catch(() => {
        failed();
        return [];
      });
    if (asker === undefined) return lastFound(server.serverId, kind);
    // Who may not see them yet, having to consent first, can only be asked for it by calling one.
    return fetchList(deps, attachment, kind, asker).catch(() => {
      failed();
      return lastFound(server.serverId, kind);
    });
  };

  const ask = (attachment: Attachment, kind: Kind, asker: Asker | undefined): Listed => {
    const { lists } = tellsWhoCalls(attachment.server) ? viewOf(asker) : everybody;
    const key = `${attachment.server.serverId}\n${kind}`;
    const known = lists.get(key);
    const ageMs = clock.now() - (known?.atMs ?? 0);
    if (known !== undefined && ageMs < (known.failed ? retryMs : freshMs)) return known;
    const entry: Listed = {
      atMs: clock.now(),
      failed: false,
      items: fetchItems(attachment, kind, asker, () => (entry.failed = true)),
    };
    lists.set(key, entry);
    return entry;
  };

  const offerOf = (attachment: Attachment, kind: Kind, item: Fields): Offer[] => {
    if (!isSound(kind, item)) return [];
    const ownName = String(item[nameField(kind)]);
    const name = isPrefixed(kind) ? attachment.toolPrefix + ownName : ownName;
    // Attaching refuses such names; a server can come up with one later.
    if (isPrefixed(kind) && name.length > maxToolNameLength) return [];
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

  const build = async (kind: Kind, asker: Asker | undefined): Promise<Index> => {
    const listed = attachments.map((attachment) => ({ attachment, list: ask(attachment, kind, asker) }));
    const found = await Promise.all(
      listed.map(async ({ attachment, list }) =>
        (await list.items).flatMap((item) => offerOf(attachment, kind, item)),
      ),
    );
    const offers = found.flat();
    const anyFailed = listed.some(({ list }) => list.failed);
    return {
      offers,
      byName: Map.groupBy(offers, ({ name }) => name),
      untilMs: clock.now() + (anyFailed ? retryMs : freshMs),
    };
  };

  const indexOf = async (kind: Kind, asker: Asker | undefined): Promise<Index> => {
    const { indexes } = viewOf(asker);
    const known = indexes.get(kind);
    if (known !== undefined) {
      const index = await known;
      if (clock.now() < index.untilMs) return index;
      if (indexes.get(kind) === known) indexes.delete(kind);
    }
    const made = indexes.get(kind) ?? build(kind, asker);
    indexes.set(kind, made);
    return made;
  };

  return {
    list: async (kind, asker) => (await indexOf(kind, asker)).offers,
    find: async (kind, name, asker) => (await indexOf(kind, asker)).byName.get(name) ?? [],
    changed(serverId, kind) {
      const kinds = kind === undefined ? (Object.keys(listMethods) as Kind[]) : [kind];
      for (const { lists, indexes } of [everybody, ...views.values()])
        for (const each of kinds) {
          lists.delete(`${serverId}\n${each}`);
          indexes.delete(each);
        }
    },
  };
}
