/** Which texts guards let pass, on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { longestPattern, mostEntries } from '../../contract/allow-list.ts';
import type { AllowListEvents } from './events.ts';
import { foldText } from '../../library/fold-text.ts';
import type { Guard } from '../guard.ts';
import { compilePattern } from './pattern.ts';
import { touchGuard } from '../store.ts';
import { deleteEntry, insertEntry, listEntries, type AllowedEntry } from './store.ts';

/** States of all patterns of a guard: what a character of a text costs at most. */
const mostStatesTogether = 2000;

export interface AllowListDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly events: AllowListEvents;
  /** @throws AppError 404 for a guard that the caller may not read, 403 for one that they may not change. */
  readonly ownGuard: (caller: Caller, guardUuid: string) => Promise<Guard>;
  /** Called after a guard's list has changed, before the response is sent. */
  readonly changed: (guardUuid: string) => Promise<void>;
}

export type NewEntry = Pick<AllowedEntry, 'kind' | 'content' | 'reason' | 'expiresAt'>;

const statesOf = (entries: readonly Pick<AllowedEntry, 'kind' | 'content'>[]) =>
  entries
    .filter(({ kind }) => kind === 'pattern')
    .reduce((sum, { content }) => sum + compilePattern(content).states, 0);

function refuseUnusable({ kind, content, expiresAt }: NewEntry, nowMs: number): void {
  if (expiresAt !== null && expiresAt.getTime() <= nowMs)
    throw invalid("'expires_at' must be in the future, or null for an entry that does not expire.");
  if (kind === 'pattern' && content.length > longestPattern)
    throw invalid(`'content' must have at most ${longestPattern} characters where it is a pattern.`);
  if (kind === 'exact' && foldText(content) === '')
    throw invalid("'content' must have more than white space.");
}

function refuseFull(entry: NewEntry, others: readonly AllowedEntry[]): void {
  if (others.length >= mostEntries)
    throw conflict(`The allow-list has ${others.length} entries, the most it can. Delete one first.`);
  const same = others.find(({ kind, content }) => kind === entry.kind && content === entry.content);
  if (same !== undefined)
    throw conflict(
      `The allow-list has this entry already, as ${same.entryId}. Delete that one to change it.`,
    );
  if (statesOf([entry, ...others]) > mostStatesTogether)
    throw conflict(
      `The patterns of the allow-list would have more than ${mostStatesTogether} states together. Make them simpler, or delete one.`,
    );
}

/** Every method throws AppError 404 for a guard that the caller may not read, 403 for one that they may not change. */
export function createAllowList({ db, clock, events, ownGuard, changed }: AllowListDeps) {
  return {
    async list(caller: Caller, guardUuid: string): Promise<AllowedEntry[]> {
      await ownGuard(caller, guardUuid);
      return listEntries(db, guardUuid);
    },

    /** @throws AppError 422 for what is no pattern; 409 where the list is full or has the entry. */
    async add(
      caller: Caller,
      request: RequestFacts,
      guardUuid: string,
      entry: NewEntry,
    ): Promise<AllowedEntry> {
      refuseUnusable(entry, clock.now());
      const createdAt = new Date(clock.now());
      const made = { ...entry, entryId: newUuid(createdAt.getTime()), createdBy: caller.userId, createdAt };
      const guard = await ownGuard(caller, guardUuid);
      // Compiled here, so that a pattern that cannot be used is refused before anything is locked.
      statesOf([made]);
      await db.transaction(async (tx) => {
        // The write to the guard holds others back until this one is done.
        if (!(await touchGuard(tx, viewerOf(caller), guardUuid, createdAt))) throw notFound('The guard');
        refuseFull(entry, await listEntries(tx, guardUuid));
        await insertEntry(tx, guardUuid, made);
        await events.allowListChanged('allow_list_entry_added', { caller, request, guard, entry: made }, tx);
      });
      await changed(guardUuid);
      return made;
    },

    async remove(caller: Caller, request: RequestFacts, guardUuid: string, entryId: string): Promise<void> {
      const guard = await ownGuard(caller, guardUuid);
      if (!isUuid(entryId)) throw notFound('The entry of the allow-list');
      await db.transaction(async (tx) => {
        const entry = await deleteEntry(tx, guardUuid, entryId);
        if (entry === undefined) throw notFound('The entry of the allow-list');
        await touchGuard(tx, viewerOf(caller), guardUuid, new Date(clock.now()));
        await events.allowListChanged('allow_list_entry_deleted', { caller, request, guard, entry }, tx);
      });
      await changed(guardUuid);
    },
  };
}

export type AllowList = ReturnType<typeof createAllowList>;
