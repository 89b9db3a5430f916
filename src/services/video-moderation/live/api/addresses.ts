import type { PlatformConfig } from '#base/config/platform.ts';
import type { Clock } from '#base/clock.ts';
import type { HttpApp } from '#base/http/server.ts';
import { originOf } from '#base/http/listen.ts';
import type { StoredStream } from '../sessions/store.ts';
import type { StreamTokens } from '../sessions/tokens.ts';
import type { StreamAddresses } from '../sessions/view.ts';

export interface AddressDeps {
  readonly app: HttpApp;
  readonly host: string;
  readonly port: PlatformConfig['port']['videoModeration'];
  readonly grpcPort: number;
  readonly publicUrl: string | undefined;
  readonly tokens: StreamTokens;
  readonly clock: Clock;
  /** Where RTMP is published to; undefined while it is not open. */
  readonly rtmpPort: (transport: 'rtmp' | 'rtmps') => number | undefined;
}

/** Where clients find a session: for its events, and for what is pushed to it. */
export function addressesOf(deps: AddressDeps): (stream: StoredStream) => StreamAddresses {
  const { app, host, port, publicUrl, tokens, clock } = deps;
  const base = () => {
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const address = app.server.address();
    return originOf(host, address === null || typeof address === 'string' ? port : address.port);
  };
  const ingestUrl = ({ streamId, source, settings: { transport } }: StoredStream) => {
    const http = base();
    const path = `/api/videomoderation/streams/${streamId}`;
    const { hostname } = new URL(http);
    if (source !== null) return undefined;
    if (transport === 'websocket') return `${http.replace(/^http/, 'ws')}${path}/ingest`;
    if (transport === 'webrtc') return `${http}${path}/whip`;
    if (transport === 'grpc') return `${hostname}:${deps.grpcPort}`;
    if (transport !== 'rtmp' && transport !== 'rtmps') return undefined;
    const rtmpPort = deps.rtmpPort(transport);
    return rtmpPort === undefined ? undefined : `${transport}://${hostname}:${rtmpPort}/live/${streamId}`;
  };
  return (stream) => {
    const { streamId } = stream;
    const events = `${base().replace(/^http/, 'ws')}/api/videomoderation/streams/${streamId}/events`;
    return {
      websocketUrl: `${events}?token=${tokens.eventToken(streamId, clock.now())}`,
      ingestUrl: ingestUrl(stream),
    };
  };
}
