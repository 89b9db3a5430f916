/** Tells pages of a gateway's owner, and of the administrators, that something happened at it. */
import { LRUCache } from 'lru-cache';
import type { Queries } from '#base/db/database.ts';
import type { ChangeNotice, ChangeNotices } from '#base/events/change-notices.ts';
import type { Logger } from '#base/log/log.ts';
import { type GatewayOwner, listGatewayOwners } from './registry/gateways/store.ts';

/** Both return at once. */
export interface GatewayNotices {
  /** Calls are in the audit log. */
  readonly called: (calls: readonly { readonly gatewayId: string }[]) => void;
  /** Something waits for a decision, or was decided. */
  readonly decides: (gatewayId: string) => void;
}

const mostKept = 1000;

export function createGatewayNotices({
  db,
  log,
  changes,
}: {
  db: Queries;
  log: Logger;
  changes: Pick<ChangeNotices, 'note'> | undefined;
}): GatewayNotices {
  // A gateway keeps its owner.
  const owners = new LRUCache<string, GatewayOwner>({ max: mostKept });
  const tell = async (what: ChangeNotice['what'], wanted: ReadonlySet<string>) => {
    const unknown = [...wanted].filter((id) => !owners.has(id));
    if (unknown.length > 0)
      for (const owner of await listGatewayOwners(db, unknown)) owners.set(owner.gatewayId, owner);
    for (const id of wanted) {
      const owner = owners.get(id);
      if (owner !== undefined) changes?.note({ what, tenantId: owner.tenantId, userId: owner.ownerId });
    }
  };
  const told = (what: ChangeNotice['what'], gatewayIds: Iterable<string>) => {
    if (changes === undefined) return;
    tell(what, new Set(gatewayIds)).catch((err: unknown) =>
      log.warn({ err }, 'pages are not told of what happened at a gateway'),
    );
  };
  return {
    called: (calls) =>
      told(
        'calls',
        calls.map(({ gatewayId }) => gatewayId),
      ),
    decides: (gatewayId) => told('decisions', [gatewayId]),
  };
}
