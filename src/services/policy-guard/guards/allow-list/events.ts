import { toIsoTime } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { Guard } from '../guard.ts';
import type { AllowedEntry } from './store.ts';

/** Log lines and audit events of allow-lists. */
export interface AllowListEvents {
  /** Somebody changed which texts a guard lets pass. */
  allowListChanged(
    event: 'allow_list_entry_added' | 'allow_list_entry_deleted',
    facts: { caller: Caller; request: RequestFacts; guard: Guard; entry: AllowedEntry },
    tx: Queries,
  ): Promise<void>;
}

export const createAllowListEvents = (audit: Identity['audit']): AllowListEvents => ({
  allowListChanged: (event, { caller, request, guard, entry }, tx) =>
    audit(
      {
        event,
        caller,
        request,
        details: {
          guard_uuid: guard.guardUuid,
          name: guard.name,
          entry_id: entry.entryId,
          kind: entry.kind,
          content: entry.content.slice(0, 200),
          reason: entry.reason,
          expires_at: entry.expiresAt && toIsoTime(entry.expiresAt),
        },
      },
      tx,
    ),
});
