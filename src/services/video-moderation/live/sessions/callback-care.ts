/** Callbacks that are behind get less, and those that are gone get nothing more. */
import type { Clock } from '#base/clock.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { LiveSession } from './live-session.ts';
import { errorEvent } from './view.ts';

/** Messages that wait for a callback, after which it gets flagged ones only. */
const mostWaiting = 1000;
/** A callback that has taken nothing for so long. */
const deadMs = 600_000;

export async function lookAfterCallback(
  { webhooks, clock }: { readonly webhooks: Webhooks; readonly clock: Clock },
  { stream, writer }: LiveSession,
): Promise<void> {
  const { callbackId, streamId } = stream;
  if (callbackId === null || !writer.hasCallback) return;
  const found = await webhooks.find(callbackId);
  writer.setCrowded((found?.waiting ?? 0) >= mostWaiting);
  const failingSince = found?.failingSince?.getTime() ?? clock.now();
  if (found !== undefined && found.disabledAt === null && clock.now() - failingSince < deadMs) return;
  writer.endCallback();
  writer.write(
    errorEvent(streamId, 0, {
      code: 'callback_failed',
      message: 'The callback has not taken events for ten minutes, and gets no more.',
      retryable: false,
    }),
  );
}
