/** Sources that are pulled, by transport. */
import type { Clock } from '#base/clock.ts';
import { invalid } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Puller } from '../sessions/intake.ts';
import type { Transport } from '../sessions/store.ts';
import { reconnecting } from './reconnect.ts';
import { play, rtmpPath } from './rtmp/puller.ts';
import { dashLoader } from './segments/dash.ts';
import { hlsLoader } from './segments/hls.ts';
import { segmentPuller } from './segments/read-segments.ts';

export interface PullerDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export interface Pullers {
  /** @throws AppError 422 for an address that must not be contacted, or of another kind */
  check(transport: Transport, url: string): void;
  open(transport: Transport, url: string): Puller;
}

const schemes: Partial<Record<Transport, readonly string[]>> = {
  hls: ['http:', 'https:'],
  dash: ['http:', 'https:'],
  rtmp: ['rtmp:'],
  rtmps: ['rtmps:'],
};
const presetPorts = { 'rtmp:': 1935, 'rtmps:': 443 } as const;

/** Where an RTMP server is. */
function targetOf(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'rtmps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || presetPorts[isTls ? 'rtmps:' : 'rtmp:'],
    isTls,
  };
}

export function createPullers({ outbound, clock }: PullerDeps): Pullers {
  return {
    check(transport, url) {
      const allowed = schemes[transport] ?? [];
      const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: '', host: '' };
      if (!allowed.includes(protocol) || host === '')
        throw invalid(
          `'source_url' must begin with ${allowed.map((each) => `${each}//`).join(' or ')} for ${transport}.`,
        );
      if (protocol.startsWith('rtmp') && rtmpPath(url).name === '')
        throw invalid("'source_url' must name a stream: rtmp://host/application/name.");
      // By name or address, as if it were HTTP: what is forbidden regardless of DNS.
      outbound.assertAllowed(`http://${host}`);
    },
    open(transport, url) {
      if (transport === 'hls') return segmentPuller(outbound, hlsLoader(outbound, url));
      if (transport === 'dash') return segmentPuller(outbound, dashLoader(outbound, url, clock));
      const connect = (_url: string, signal: AbortSignal) => outbound.connect(targetOf(url), signal);
      return reconnecting(async (intake) => (await play(connect, url, intake)) === 'finished');
    },
  };
}
