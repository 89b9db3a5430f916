/** What is asked for as a session, and its row. */
import { badRequest, invalid } from '#base/errors.ts';
import { coverageOf } from '#engine/video/coverage.ts';
import type { Caller } from '#identity/caller.ts';
import type { StoredStream, Transport } from './store.ts';

export interface StreamDraft {
  readonly transport: Transport;
  readonly sourceUrl: string | undefined;
  readonly fps: number;
  readonly clipSeconds: number;
  readonly callbackUrl: string | undefined;
  readonly callbackEvents: 'all' | 'flagged';
  readonly deploymentId: string | undefined;
}

const pulledOnly: ReadonlySet<Transport> = new Set(['hls', 'dash']);
const either: ReadonlySet<Transport> = new Set(['rtmp', 'rtmps']);

/** @throws AppError 400, 422 */
export function checkSource({ transport, sourceUrl }: StreamDraft): void {
  if (pulledOnly.has(transport) && sourceUrl === undefined)
    throw badRequest(`'source_url' is required for ${transport}.`);
  if (!pulledOnly.has(transport) && !either.has(transport) && sourceUrl !== undefined)
    throw invalid(`'source_url' is refused for ${transport}: frames are pushed to us.`);
}

/** An address without credentials and query, as it is shown. */
function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The coverage of a session that nothing has been looked at in. */
export const unlooked = (categories: readonly { id: string }[]): StoredStream['coverage'] =>
  coverageOf(
    categories.map(({ id }) => id),
    [],
  );

type Made = Pick<
  StoredStream,
  'streamId' | 'processId' | 'callbackId' | 'source' | 'ingestToken' | 'coverage' | 'createdAt' | 'expiresAt'
>;

export const newStream = (caller: Caller, draft: StreamDraft, made: Made): StoredStream => ({
  ...made,
  tenantId: caller.tenantId,
  ownerId: caller.userId,
  apiKeyId: caller.apiKeyId ?? null,
  status: 'running',
  ingestState: 'waiting',
  settings: {
    transport: draft.transport,
    fps: draft.fps,
    clipSeconds: draft.clipSeconds,
    sourceUrl: draft.sourceUrl === undefined ? null : shownUrl(draft.sourceUrl),
    callbackUrl: draft.callbackUrl ?? null,
    callbackEvents: draft.callbackEvents,
    deploymentId: draft.deploymentId ?? null,
  },
  framesAnalyzed: 0,
  clipsAnalyzed: 0,
  framesDropped: 0,
  error: null,
  finishedAt: null,
});
