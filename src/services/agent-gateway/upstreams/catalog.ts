/** The tools, resources and prompts of a gateway's servers, under the names that clients see. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { headerParamsOf, type HeaderParam } from '#mcp/header-values.ts';
import { fieldsOf, isFields, type Fields } from '#mcp/json-rpc.ts';
import { listKeyOf } from '#mcp/protocol.ts';
import { maxToolNameLength } from '../contract/servers.ts';
import type { Attachment } from '../registry/servers/server.ts';
import { dependsOnToken, keyOf, tellsWhoCalls } from '../on-behalf/who.ts';
import { mannerOf, type Asker } from './asker.ts';
import type { Pool } from './pool.ts';
import { withUniqueNames, type Holders } from './unique-names.ts';

export const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
} as const;
export type Kind = keyof typeof listMethods;

/** A tool, resource, resource template or prompt of a server. */
export interface Offer {
  readonly attachment: Attachment;
  /** The server's name for it: the name of a tool or prompt, the URI of a resource. */
  readonly ownName: string;
  /** The name that clients see. */
  readonly name: string;
  /** The server's description, with the name that clients see. */
  readonly definition: Fields;
  /** Arguments that must be repeated in headers. */
  readonly headerParams: readonly HeaderParam[];
}

interface CatalogDeps {
  readonly attachments: readonly Attachment[];
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The result of the last discovery. */
  readonly lastFound: (serverId: string, kind: Kind) => Promise<readonly Fields[]>;
  /** Servers for which names of tools are reserved, because they had them first. */
  readonly holders: () => Promise<Holders>;
}

interface Listed {
  readonly items: Promise<readonly Fields[]>;
  readonly atMs: number;
  failed: boolean;
  /** Why a server that learns who calls offers nothing to this caller. */
  refusal?: string;
}

/** Maximum age of a list if the server does not announce changes. */
const freshMs = 60_000;
/** The same after a failed request. */
const retryMs = 5000;
const maxPages = 100;
const maxItems = 10_000;

const capabilityOf = (kind: Kind) => (kind === 'templates' ? 'resources' : kind);
const nameField = (kind: Kind) =>
  kind === 'resources' ? 'uri' : kind === 'templates' ? 'uriTemplate' : 'name';
const isPrefixed = (kind: Kind) => kind === 'tools' || kind === 'prompts';

/** Fetches all pages of a list. */
export async function fetchList(
  { pool, timeoutMs }: Pick<CatalogDeps, 'pool' | 'timeoutMs'>,
  { server }: Pick<Attachment, 'server'>,
  kind: Kind,
  asker: Asker | undefined,
): Promise<Fields[]> {
  const method = listMethods[kind];
  // Servers may offer more to clients with certain capabilities.
  return pool.use(server, asker, async (connection) => {
    if (connection.capabilities[capabilityOf(kind)] === undefined) return [];
    const items: Fields[] = [];
    let cursor: unknown;
    for (let pages = 0; pages < maxPages && items.length < maxItems; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await connection.request({
        method,
        params,
        capabilities: asker?.capabilities,
        timeoutMs,
      });
      const listed = result[listKeyOf(method) ?? ''];
      if (Array.isArray(listed)) items.push(...listed.filter(isFields));
      cursor = result['nextCursor'];
      if (typeof cursor !== 'string' || cursor === '') break;
    }
    return items.slice(0, maxItems);
  });
}

/** Whether the tool's definition is usable; others are left out. */
const isSound = (kind: Kind, item: Fields): boolean => {
  const name = item[nameField(kind)];
  if (typeof name !== 'string' || name === '') return false;
  return kind !== 'tools' || (isFields(item['inputSchema']) && item['inputSchema']['type'] === 'object');
};

interface Index {
  readonly offers: readonly Offer[];
  /** Why servers that learn who calls offer nothing to this caller. */
  readonly refusals: readonly string[];
  /** Whose lists could not be read. */
  readonly unread: readonly Attachment[];
  readonly byName: ReadonlyMap<string, readonly Offer[]>;
  /** The index is rebuilt after this time. */
  readonly untilMs: number;
}

/**
 * Lists as one kind of client sees them: clients with the same capabilities and era share a view, and a separate one
 * is kept for each user of servers that learn who calls, and for each session whose server changed its lists.
 */
interface View {
  readonly lists: Map<string, Listed>;
  readonly indexes: Map<Kind, Indexing>;
}

interface Indexing {
  readonly made: Promise<Index>;
  /** Once it is made: most calls need nothing else, and do not wait. */
  index: Index | undefined;
}

const newView = (): View => ({ lists: new Map(), indexes: new Map() });

const nobody: Holders = new Map();
const none: readonly Offer[] = [];
const maxViews = 500;
const maxOwnLists = 1000;

export class Catalog {
  readonly #deps: CatalogDeps;
  readonly #everybody = newView();
  readonly #views = new LRUCache<string, View>({ max: maxViews });
  /** Sessions to which a server has announced changes of its lists, which may concern that session alone. */
  readonly #ownLists = new LRUCache<string, true>({ max: maxOwnLists });
  readonly #told;
  readonly #byToken;

  constructor(deps: CatalogDeps) {
    this.#deps = deps;
    this.#told = deps.attachments.filter(({ server }) => tellsWhoCalls(server));
    this.#byToken = this.#told.some(({ server }) => dependsOnToken(server));
  }

  /**
   * Offers in the order of attachment, then of the server; synchronous if known. Unreachable servers are left out. For
   * servers that learn who calls: what they offer to this caller, or the last discovery if they offer nothing to the
   * caller yet.
   */
  list(kind: Kind, asker?: Asker): readonly Offer[] | Promise<readonly Offer[]> {
    const index = this.#indexOf(kind, asker);
    return index instanceof Promise ? index.then(({ offers }) => offers) : index.offers;
  }

  /** More than one if several servers offer the same resource; synchronous if the list is known. */
  find(kind: Kind, name: string, asker?: Asker): readonly Offer[] | Promise<readonly Offer[]> {
    const index = this.#indexOf(kind, asker);
    return index instanceof Promise ? index.then((made) => named(made, name)) : named(index, name);
  }

  /**
   * What a server offered when it was read last that is not available now, so that a call is told so; undefined if no such
   * server offered it.
   */
  async findUnread(kind: Kind, name: string, asker: Asker): Promise<Offer | undefined> {
    for (const attachment of (await this.#indexOf(kind, asker)).unread) {
      const items = await this.#deps.lastFound(attachment.server.serverId, kind);
      const offer = items
        .flatMap((item) => offerOf(attachment, kind, item))
        .find((each) => each.name === name);
      if (offer !== undefined) return offer;
    }
    return undefined;
  }

  /** Why servers that learn who calls offer nothing to this caller: an identity that is missing or refused. */
  async refusals(kind: Kind, asker: Asker): Promise<readonly string[]> {
    return (await this.#indexOf(kind, asker)).refusals;
  }

  /**
   * Invalidates the cached lists of the server.
   * @param key the session whose connection reported the change; undefined if it was a shared connection
   */
  changed(serverId: string, kind?: Kind, key?: string): void {
    if (key !== undefined) this.#ownLists.set(key, true);
    const kinds = kind === undefined ? (Object.keys(listMethods) as Kind[]) : [kind];
    for (const { lists, indexes } of [this.#everybody, ...this.#views.values()])
      for (const each of kinds) {
        lists.delete(`${serverId}\n${each}`);
        indexes.delete(each);
      }
  }

  /** @param told whether the view contains lists of servers that learn who calls */
  #viewOf(asker: Asker | undefined, told: boolean): View {
    if (asker === undefined) return this.#everybody;
    const manner = mannerOf(asker);
    const session = manner !== '' && this.#ownLists.has(asker.key) ? asker.key : '';
    const who = told ? keyOf(asker, this.#byToken) : '';
    if (manner === '' && who === '') return this.#everybody;
    const key = `${who}\n${manner}\n${session}`;
    const view = this.#views.get(key) ?? newView();
    this.#views.set(key, view);
    return view;
  }

  async #fetchItems(
    attachment: Attachment,
    kind: Kind,
    asker: Asker | undefined,
    failed: (error?: unknown) => void,
  ): Promise<readonly Fields[]> {
    const { lastFound } = this.#deps;
    const { server } = attachment;
    if (!tellsWhoCalls(server))
      // The gateway's status reports unreachable servers; their tools are not listed.
      return fetchList(this.#deps, attachment, kind, asker).catch(() => {
        failed();
        return [];
      });
    if (asker === undefined) return lastFound(server.serverId, kind);
    // Users who must consent first still see the last discovery, since only a call can request their consent.
    return fetchList(this.#deps, attachment, kind, asker).catch((error: unknown) => {
      failed(error);
      return lastFound(server.serverId, kind);
    });
  }

  #ask(attachment: Attachment, kind: Kind, asker: Asker | undefined): Listed {
    const { clock } = this.#deps;
    const { lists } = this.#viewOf(asker, tellsWhoCalls(attachment.server));
    const key = `${attachment.server.serverId}\n${kind}`;
    const known = lists.get(key);
    const ageMs = clock.now() - (known?.atMs ?? 0);
    if (known !== undefined && ageMs < (known.failed ? retryMs : freshMs)) return known;
    const entry: Listed = {
      atMs: clock.now(),
      failed: false,
      items: this.#fetchItems(attachment, kind, asker, (error) => {
        entry.failed = true;
        if (error instanceof AppError) entry.refusal = error.detail;
      }),
    };
    lists.set(key, entry);
    return entry;
  }

  async #build(kind: Kind, asker: Asker | undefined): Promise<Index> {
    const { attachments, clock } = this.#deps;
    const listed = attachments.map((attachment) => ({
      attachment,
      list: this.#ask(attachment, kind, asker),
    }));
    const found = await Promise.all(
      listed.map(async ({ attachment, list }) =>
        (await list.items).flatMap((item) => offerOf(attachment, kind, item)),
      ),
    );
    const offers = isPrefixed(kind)
      ? withUniqueNames(found.flat(), kind === 'tools' ? await this.#deps.holders() : nobody)
      : found.flat();
    const anyFailed = listed.some(({ list }) => list.failed);
    return {
      offers,
      refusals: listed.flatMap(({ list }) => list.refusal ?? []),
      unread: listed.flatMap(({ attachment, list }) => (list.failed ? attachment : [])),
      byName: Map.groupBy(offers, ({ name }) => name),
      untilMs: clock.now() + (anyFailed ? retryMs : freshMs),
    };
  }

  #indexOf(kind: Kind, asker: Asker | undefined): Index | Promise<Index> {
    const { indexes } = this.#viewOf(asker, this.#told.length > 0);
    const known = indexes.get(kind);
    if (known === undefined) return this.#begin(kind, asker, indexes);
    // While it is made all who ask wait for it, however long that takes.
    if (known.index === undefined) return known.made;
    return this.#deps.clock.now() < known.index.untilMs ? known.index : this.#begin(kind, asker, indexes);
  }

  #begin(kind: Kind, asker: Asker | undefined, indexes: View['indexes']): Promise<Index> {
    const indexing: Indexing = {
      made: this.#build(kind, asker).then((made) => (indexing.index = made)),
      index: undefined,
    };
    indexes.set(kind, indexing);
    // What failed is made again when it is wanted again; who waits is told of the failure.
    indexing.made.catch(() => {
      if (indexes.get(kind) === indexing) indexes.delete(kind);
    });
    return indexing.made;
  }
}

const named = ({ byName }: Index, name: string): readonly Offer[] => byName.get(name) ?? none;

const offerOf = (attachment: Attachment, kind: Kind, item: Fields): Offer[] => {
  if (!isSound(kind, item)) return [];
  const ownName = String(item[nameField(kind)]);
  const name = isPrefixed(kind) ? attachment.toolPrefix + ownName : ownName;
  // Attaching refuses such names, but a server may add one later.
  if (isPrefixed(kind) && name.length > maxToolNameLength) return [];
  const headerParams = kind === 'tools' ? headerParamsOf(fieldsOf(item['inputSchema'])) : [];
  // A tool whose header declaration is invalid cannot be called as it requires.
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
