import { LRUCache } from 'lru-cache';
import type { Queries } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { findNamedGuard } from '../../guards/store.ts';

/** Whether a model is one of OpenAI's, which no guard has as its UUID. */
export const isOpenAiModel = (model: string): boolean => /^(?:omni|text)-moderation\b/.test(model);

/**
 * The UUID of the guard that is used for a model name of OpenAI.
 * @throws AppError 404 when the caller has no guard that it could stand for.
 */
export type FindModerationGuard = (caller: Caller, model: string) => Promise<string>;

const ttlMs = 1000;

/** Only the caller's own guards are considered: a shared guard of another user must not take over their moderation. */
export function createModerationGuard(db: Queries, configured: string | undefined): FindModerationGuard {
  const found = new LRUCache<string, string>({ max: 10_000, ttl: ttlMs });
  return async (caller, model) => {
    const key = JSON.stringify([caller.tenantId, caller.userId, model]);
    const known = found.get(key);
    if (known !== undefined) return known;
    const guardUuid = await findNamedGuard(db, caller, model, configured);
    if (guardUuid === undefined)
      throw new AppError(
        404,
        'not_found',
        `'model' ${model} selects a guard of yours, and you have none that is enabled. Make one with POST /api/guards, ` +
          'on the policy group Default Policies.',
      );
    found.set(key, guardUuid);
    return guardUuid;
  };
}
