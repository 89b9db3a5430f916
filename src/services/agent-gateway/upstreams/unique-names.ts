/** Tool and prompt names that are unique at a gateway, although servers may choose names of each other at any time. */
import type { Fields } from '#mcp/json-rpc.ts';
import { maxToolNameLength } from '../contract/servers.ts';
import { slugOf, type Attachment } from '../registry/servers/server.ts';

/** What of an offer its name depends on. */
interface Named {
  readonly attachment: Attachment;
  readonly ownName: string;
  readonly name: string;
  readonly definition: Fields;
}

/** Ids of the servers whose names are reserved for them, by name. */
export type Holders = ReadonlyMap<string, string>;

const serverOf = ({ attachment }: Named): string => attachment.server.serverId;

/** Names that the offer gets if its own is another server's: by its server, then numbered. */
function* otherNames({ attachment, ownName }: Named): Generator<string> {
  const bySlug = `${slugOf(attachment.server.name)}__${ownName}`;
  if (bySlug.length <= maxToolNameLength) yield bySlug;
  for (let number = 2; ; number += 1) {
    const end = `__${number}`;
    yield bySlug.slice(0, maxToolNameLength - end.length) + end;
  }
}

function freeName(offer: Named, taken: ReadonlySet<string>): string {
  for (const name of otherNames(offer)) if (!taken.has(name)) return name;
  throw new RangeError('There is always a number that is free.');
}

/** The offer that keeps each name: that of the holder, also while it is away; else of the server attached first. */
function keepersOf<T extends Named>(offers: readonly T[], holders: Holders): Map<string, T> {
  const keepers = new Map<string, T>();
  for (const offer of offers) {
    const holder = holders.get(offer.name) ?? serverOf(offer);
    if (holder === serverOf(offer) && !keepers.has(offer.name)) keepers.set(offer.name, offer);
  }
  return keepers;
}

/**
 * The same offers, each under a name of its own: a server that takes the name of another one's tool gets a different
 * name for it, so that no agent calls it in the belief to call the other. Of two with the same name at one server the
 * first is kept.
 * @param offers in the order of attachment
 */
export function withUniqueNames<T extends Named>(offers: readonly T[], holders: Holders): readonly T[] {
  const keepers = keepersOf(offers, holders);
  if (keepers.size === offers.length) return offers;
  const taken = new Set([...keepers.keys(), ...holders.keys()]);
  const seen = new Set<string>();
  const unique: T[] = [];
  for (const offer of offers) {
    const own = `${serverOf(offer)}\n${offer.ownName}`;
    if (seen.has(own)) continue;
    seen.add(own);
    if (keepers.get(offer.name) === offer) {
      unique.push(offer);
      continue;
    }
    const name = freeName(offer, taken);
    taken.add(name);
    unique.push({ ...offer, name, definition: { ...offer.definition, name } });
  }
  return unique;
}
