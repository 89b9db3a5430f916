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

export class Catalog {
  readonly #deps: CatalogDeps;
  readonly #everybody = newView();
  readonly #views = new LRUCache<string, View>({ max: maxViews });
  readonly #told;
  readonly #byToken;

  constructor(deps: CatalogDeps) {
    this.#deps = deps;
    this.#told = deps.attachments.filter(({ server }) => tellsWhoCalls(server));
    this.#byToken = this.#told.some(({ server }) => server.identityScheme === 'bearer');
  }

  /**
   * In the order of attachment, then the server's own. Servers that do not answer are left out; of those that learn who
   * calls, what they offer to who asks, or what is known of them where they offer nothing yet.
   */
  async list(kind: Kind, asker?: Asker): Promise<readonly Offer[]> {
    return (await this.#indexOf(kind, asker)).offers;
  }

  /** More than one where servers offer the same. */
  async find(kind: Kind, name: string, asker?: Asker): Promise<readonly Offer[]> {
    return (await this.#indexOf(kind, asker)).byName.get(name) ?? [];
  }

  /** What is known of the server's lists no longer holds. */
  changed(serverId: string, kind?: Kind): void {
    const kinds = kind === undefined ? (Object.keys(listMethods) as Kind[]) : [kind];
    for (const { lists, indexes } of [this.#everybody, ...this.#views.values()])
      for (const each of kinds) {
        lists.delete(`${serverId}\n${each}`);
        indexes.delete(each);
      }
  }

  #viewOf(asker: Asker | undefined): View {
    if (this.#told.length === 0 || asker === undefined) return this.#everybody;
    const key = keyOf(asker, this.#byToken);
    const view = this.#views.get(key) ?? newView();
    this.#views.set(key, view);
    return view;
  }

  async #fetchItems(
    attachment: Attachment,
    kind: Kind,
    asker: Asker | undefined,
    failed: () => void,
  ): Promise<readonly Fields[]> {
    const { lastFound } = this.#deps;
    const { server } = attachment;
    if (!tellsWhoCalls(server))
      // A server that is away is told of in the gateway's status; its tools are simply not there.
      return fetchList(this.#deps, attachment, kind, undefined).catch(() => {
        failed();
        return [];
      });
    if (asker === undefined) return lastFound(server.serverId, kind);
    // Who may not see them yet, having to consent first, can only be asked for it by calling one.
    return fetchList(this.#deps, attachment, kind, asker).catch(() => {
      failed();
      return lastFound(server.serverId, kind);
    });
  }

  #ask(attachment: Attachment, kind: Kind, asker: Asker | undefined): Listed {
    const { clock } = this.#deps;
    const { lists } = tellsWhoCalls(attachment.server) ? this.#viewOf(asker) : this.#everybody;
    const key = `${attachment.server.serverId}\n${kind}`;
    const known = lists.get(key);
    const ageMs = clock.now() - (known?.atMs ?? 0);
    if (known !== undefined && ageMs < (known.failed ? retryMs : freshMs)) return known;
    const entry: Listed = {
      atMs: clock.now(),
      failed: false,
      items: this.#fetchItems(attachment, kind, asker, () => (entry.failed = true)),
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
    const offers = found.flat();
    const anyFailed = listed.some(({ list }) => list.failed);
    return {
      offers,
      byName: Map.groupBy(offers, ({ name }) => name),
      untilMs: clock.now() + (anyFailed ? retryMs : freshMs),
    };
  }

  async #indexOf(kind: Kind, asker: Asker | undefined): Promise<Index> {
    const { indexes } = this.#viewOf(asker);
    const known = indexes.get(kind);
    if (known !== undefined) {
      const index = await known;
      if (this.#deps.clock.now() < index.untilMs) return index;
      if (indexes.get(kind) === known) indexes.delete(kind);
    }
    const made = indexes.get(kind) ?? this.#build(kind, asker);
    indexes.set(kind, made);
    return made;
  }
}

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
