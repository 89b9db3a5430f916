import type { z } from 'zod';
import { AppError } from '#base/errors.ts';
import {
  draftOperations,
  type ReplayProgress,
  type ReplayResult,
} from '#services/policy-guard/contract/drafts.ts';
import { authorisedFetch } from '../session/session.ts';
import { eventsOf } from './event-stream.ts';
import type { PolicyDraft } from './policy-guard.ts';

export type Replayed = z.output<typeof ReplayResult>;
export type ReplayState = z.output<typeof ReplayProgress>;

/**
 * What the draft would change in the last week's texts.
 * @throws AppError with the service's status and detail
 */
export async function replayDraft(
  groupUuid: string,
  policy: PolicyDraft,
  { onProgress, signal }: { onProgress: (state: ReplayState) => void; signal: AbortSignal },
): Promise<Replayed> {
  const path = draftOperations.replayDraft.path.replace('{group_uuid}', encodeURIComponent(groupUuid));
  const response = await authorisedFetch(`/services/policy-guard${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ policy }),
    signal,
  });
  for await (const { event, data } of eventsOf(response)) {
    const said: unknown = JSON.parse(data);
    if (event === 'progress') onProgress(said as ReplayState);
    else if (event === 'result') return said as Replayed;
    else if (event === 'error') {
      const { status, detail } = said as { status: number; detail: string };
      throw new AppError(status, 'refused', detail);
    }
  }
  throw new AppError(502, 'cut_off', 'The response was interrupted. Is the service running?');
}
