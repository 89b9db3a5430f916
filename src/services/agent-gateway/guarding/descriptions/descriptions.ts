/** Reads what servers say of their tools, prompts and resources before agents do. */
import { hash as hashOf } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { AgentGatewayEvents } from '../../events.ts';
import type { Offer } from '../../upstreams/catalog.ts';
import {
  judgeDefinition,
  legibleDefinition,
  type DefinitionVerdict,
  type DescribedKind,
} from './judge-definition.ts';
import * as store from './store.ts';

export interface DescriptionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly events: AgentGatewayEvents;
  readonly gatewayId: string;
}

export interface ReadDefinition {
  /** `approved`: it speaks to the model, and a person has approved it. */
  readonly state: 'clean' | 'flagged' | 'approved';
  /** What clients may see of it: without characters that nobody sees. */
  readonly legible: Fields;
}

interface Judged {
  readonly hash: string;
  readonly verdict: DefinitionVerdict;
  readonly legible: Fields;
}

/** Verdicts of equal definitions, of all gateways: servers are listed again every minute. */
const verdicts = new LRUCache<string, DefinitionVerdict>({ max: 20_000 });
/** The same by object: within one list nothing is hashed twice. */
const judgedObjects = new WeakMap<Fields, Judged>();

/** Judges a definition once. */
function judged(kind: DescribedKind, definition: Fields): Judged {
  const known = judgedObjects.get(definition);
  if (known !== undefined) return known;
  const hash = hashOf('sha256', `${kind}\n${JSON.stringify(definition)}`);
  const verdict = verdicts.get(hash) ?? judgeDefinition(kind, definition);
  verdicts.set(hash, verdict);
  const made = { hash, verdict, legible: legibleDefinition(definition) };
  judgedObjects.set(definition, made);
  return made;
}

/** The server's own definition: the name that clients see is the gateway's. */
const ownDefinitions = new WeakMap<Fields, Fields>();

function ownDefinition({ definition, ownName, name }: Offer): Fields {
  if (ownName === name) return definition;
  const known = ownDefinitions.get(definition) ?? { ...definition, name: ownName };
  ownDefinitions.set(definition, known);
  return known;
}

/** The definitions of one gateway's servers; approvals are cached while it runs. */
export class Descriptions {
  readonly #deps: DescriptionsDeps;
  readonly #noted = new LRUCache<string, true>({ max: 20_000 });
  #approved: Promise<Set<string>> | undefined;

  constructor(deps: DescriptionsDeps) {
    this.#deps = deps;
  }

  /** Judges the definition, and notes one that speaks to the model; synchronous for any other. */
  read(kind: DescribedKind, offer: Offer): ReadDefinition | Promise<ReadDefinition> {
    const definition = ownDefinition(offer);
    const { hash, verdict, legible } = judged(kind, definition);
    const shown = legible === definition ? offer.definition : { ...legible, name: offer.definition['name'] };
    return verdict.flagged
      ? this.#readFlagged(kind, offer, { definition, hash, shown })
      : { state: 'clean', legible: shown };
  }

  async #readFlagged(
    kind: DescribedKind,
    offer: Offer,
    { definition, hash, shown }: { definition: Fields; hash: string; shown: Fields },
  ): Promise<ReadDefinition> {
    const { serverId } = offer.attachment.server;
    await this.#note(kind, offer, definition);
    this.#approved ??= store.listApprovedHashes(this.#deps.db, this.#deps.gatewayId);
    const isApproved = (await this.#approved).has(`${serverId} ${kind} ${hash}`);
    return { state: isApproved ? 'approved' : 'flagged', legible: shown };
  }

  /** Called when approvals changed elsewhere. */
  reload(): void {
    this.#approved = undefined;
  }

  async #note(kind: DescribedKind, { attachment, ownName }: Offer, definition: Fields): Promise<void> {
    const { db, clock, events, gatewayId } = this.#deps;
    const { serverId } = attachment.server;
    const { hash, verdict } = judged(kind, definition);
    const key = `${serverId} ${kind} ${hash}`;
    if (this.#noted.has(key)) return;
    this.#noted.set(key, true);
    await noteFinding(db, gatewayId, {
      serverId,
      kind,
      name: ownName,
      definition,
      foundAt: new Date(clock.now()),
    });
    events.descriptionFlagged(gatewayId, serverId, ownName, verdict.issues[0]?.says ?? '');
  }
}

/** Stores the finding if the definition speaks to the model; true if it does. */
export async function noteFinding(
  db: Database,
  gatewayId: string,
  {
    kind,
    definition,
    ...rest
  }: Pick<store.DescriptionFinding, 'serverId' | 'kind' | 'name' | 'definition' | 'foundAt'>,
): Promise<boolean> {
  const { hash, verdict } = judged(kind, definition);
  if (!verdict.flagged) return false;
  await store.insertFinding(db, gatewayId, { ...rest, kind, definition, hash, issues: verdict.issues });
  return true;
}
