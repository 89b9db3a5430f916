import type { RequestFacts } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Asked } from '../../judging/verdicts/verdict.ts';

/** The caller of a route, for the query log. */
export const askedBy = ({ userId, apiKeyId }: Caller, { id }: RequestFacts, door: string): Asked => ({
  door,
  userId,
  apiKeyId,
  requestId: id,
});
