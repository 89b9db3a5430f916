/** The end of sessions that run nowhere: their senders never came, or their process is gone. */
import type { Clock } from '#base/clock.ts';
import { accessEnded, type Ending } from './endings.ts';
import { appendEvents, callbackOf, type EventWriterDeps } from './event-writer.ts';

import { ownerOf, type Owners } from './owner.ts';
import { finishStream, type StoredStream } from './store.ts';
import { errorEvent, summaryEvent } from './view.ts';

/** Writes the last events and the end in one transaction; nothing where the session has ended before. */
export async function endUnattended(
  deps: EventWriterDeps & { readonly clock: Clock },
  stream: StoredStream,
  { status, reason, problem }: Ending,
): Promise<void> {
  const { streamId, framesAnalyzed, clipsAnalyzed, framesDropped, coverage } = stream;
  const counts = { framesAnalyzed, clipsAnalyzed, framesDropped, coverage };
  const ofEach = <V>(value: V) => Object.fromEntries(Object.keys(coverage).map((id) => [id, value]));
  const verdict = { flag: false, categories: ofEach(false), probs: ofEach(0) };
  const nothing = { durationSeconds: 0, ...verdict, covering: [], notes: [] };
  await deps.db.transaction(async (tx) => {
    const isMine = await finishStream(tx, {
      streamId,
      status,
      error: status === 'failed' ? (problem?.message ?? null) : null,
      at: new Date(deps.clock.now()),
      counts: undefined,
    });
    if (!isMine) return;
    const bodies = [
      ...(problem === undefined ? [] : [errorEvent(streamId, 0, problem)]),
      summaryEvent(streamId, { ...nothing, ...counts }, reason),
    ];
    await appendEvents(deps, streamId, bodies, callbackOf(stream), tx);
  });
}

/** Ends those whose user, or whose API key, is gone. */
export async function endWithoutAccess(
  deps: EventWriterDeps & { readonly clock: Clock; readonly identity: Owners },
  streams: readonly StoredStream[],
): Promise<void> {
  for (const stream of streams)
    if ((await ownerOf(stream, deps.identity)) === undefined) await endUnattended(deps, stream, accessEnded);
}
