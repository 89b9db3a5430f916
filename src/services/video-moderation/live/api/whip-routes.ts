import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalid } from '#base/errors.ts';
import { AnswerWithHeaders, type Handlers } from '#base/http/mount.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { Operation } from '#base/contract/operation.ts';
import { bearerOf } from '#identity/authenticate.ts';
import type { Caller } from '#identity/caller.ts';
import { streamOperations } from '../../contract/streams.ts';
import type { LiveStreams } from '../sessions/live-streams.ts';
import { publish, type WhipSettings } from '../sources/webrtc/whip.ts';

export interface WhipDeps extends WhipSettings {
  readonly streams: LiveStreams;
  readonly authenticate: (operation: Operation, headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
}

type WhipHandlers = Pick<Handlers<typeof streamOperations, Caller>, 'publishWebRtc' | 'endWebRtc'>;

const mostSdpBytes = 200_000;

/** Bodies of WHIP are text. */
export function takeSdp(app: HttpApp): void {
  app.addContentTypeParser(
    'application/sdp',
    { parseAs: 'string', bodyLimit: mostSdpBytes },
    (_request, body, done) => done(null, body),
  );
}

/** Who publishes has the token of the session, in the address or as a bearer, or else an API key. */
export function whipHandlers(deps: WhipDeps): WhipHandlers {
  const { streams, authenticate } = deps;
  const callerOf = async (
    streamId: string,
    token: string | undefined,
    authorization: string | undefined,
  ): Promise<Caller> => {
    const given = token ?? bearerOf(authorization);
    const byToken = given === undefined ? undefined : await streams.callerByToken('ingest', streamId, given);
    const caller =
      byToken ??
      (await authenticate(streamOperations.getStream, authorization === undefined ? {} : { authorization }));
    if (caller === undefined) throw new AppError(401, 'missing_auth', 'A token is needed.');
    return caller;
  };
  return {
    publishWebRtc: async ({ params: { stream_id: id }, query, headers, body }) => {
      const caller = await callerOf(id, query.token, headers.Authorization);
      const session = await streams.attend(caller, id, 'webrtc');
      if (!body.startsWith('v=0')) throw invalid('The body must be an SDP offer.');
      const answer = await publish(deps, session, body);
      return new AnswerWithHeaders(answer, { location: `/api/videomoderation/streams/${id}/whip` });
    },
    endWebRtc: async ({ params: { stream_id: id }, query, headers }) => {
      const caller = await callerOf(id, query.token, headers.Authorization);
      await streams.endSource(caller, id, 'webrtc');
      return { message: 'The session has ended.' };
    },
  };
}
