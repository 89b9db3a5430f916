import { badRequest } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { streamOperations } from '../../contract/stream.ts';
import { askedBy } from '../verdicts/asked-by.ts';
import type { StreamLine } from './run.ts';
import type { Streams } from './stream.ts';

export const streamHandlers = (streams: Streams): Handlers<typeof streamOperations, Caller> => ({
  async topicGuardStream({ caller, body, request }) {
    const lines = body[Symbol.asyncIterator]();
    const { done, value: first } = await lines.next();
    if (done === true || first.guard_uuid === undefined)
      throw badRequest("'guard_uuid' is required on the first line of the body.");
    const { guard_uuid: guardUuid, messages = [], context, window, step, hold_back: holdBack } = first;
    const opening = {
      guardUuid,
      messages,
      kind: context,
      asked: askedBy(caller, request, 'topic_guard_stream'),
      ...(window !== undefined && { window }),
      ...(step !== undefined && { step }),
      ...(holdBack !== undefined && { holdBack }),
    };
    return streams.begin(caller, opening, beginningWith(first, lines));
  },
});

/** The first line may carry text too. */
async function* beginningWith(
  first: StreamLine,
  rest: AsyncIterator<StreamLine>,
): AsyncGenerator<StreamLine> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
