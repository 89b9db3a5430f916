import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { NameOf, UserNames } from '#identity/users/user-names.ts';
import type { allowListOperations } from '../../contract/allow-list.ts';
import type { AllowList } from './allow-list.ts';
import type { AllowedEntry } from './store.ts';

type WireEntry = Answer<(typeof allowListOperations)['allow']>;

const entryToWire = (entry: AllowedEntry, nowMs: number, nameOf: NameOf): WireEntry => ({
  entry_id: entry.entryId,
  kind: entry.kind,
  content: entry.content,
  reason: entry.reason,
  expires_at: entry.expiresAt && toIsoTime(entry.expiresAt),
  expired: entry.expiresAt !== null && entry.expiresAt.getTime() <= nowMs,
  created_by: entry.createdBy,
  created_by_name: nameOf(entry.createdBy),
  created_at: toIsoTime(entry.createdAt),
});

export const allowListHandlers = (
  allowList: AllowList,
  clock: Clock,
  userNames: UserNames,
): Handlers<typeof allowListOperations, Caller> => ({
  listAllowed: async ({ caller, params }) => {
    const entries = await allowList.list(caller, params.guard_uuid);
    const nameOf = await userNames(entries.map(({ createdBy }) => createdBy));
    return { entries: entries.map((each) => entryToWire(each, clock.now(), nameOf)), total: entries.length };
  },
  allow: async ({ caller, params, body, request }) => {
    const { expires_at: expiresAt, ...entry } = body;
    const made = await allowList.add(caller, request, params.guard_uuid, {
      ...entry,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    });
    return entryToWire(made, clock.now(), await userNames([made.createdBy]));
  },
  disallow: async ({ caller, params, request }) => {
    await allowList.remove(caller, request, params.guard_uuid, params.entry_id);
    return { message: 'The text is judged again.' };
  },
});
