/** An endpoint security product to try things with: one of four personalities over the same neutral events. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenHere } from '#base/http/listen.ts';
import { edrA } from './edr-a.ts';
import { edrB } from './edr-b.ts';
import { edrBNgsiem } from './edr-b-ngsiem.ts';
import { edrC } from './edr-c.ts';
import type { NeutralEvent } from './neutral.ts';
import {
  createWorld,
  type Fault,
  type Personality,
  type Reply,
  simulatorSecret,
  type World,
} from './world.ts';

export const personalities = ['edr-a', 'edr-b', 'edr-b-ngsiem', 'edr-c'] as const;
export type PersonalityName = (typeof personalities)[number];

export interface SimulatorSettings {
  readonly as: PersonalityName;
  readonly events: readonly NeutralEvent[];
  readonly faults?: readonly Fault[];
  readonly port?: number;
  /** Of `edr-c`: a console without long-running queries. */
  readonly isOld?: boolean;
  readonly clock?: () => number;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  /** The body of `PUT /api/v1/shadow-ai/config` that connects to it. */
  readonly config: {
    edr_framework: PersonalityName;
    credentials: Record<string, string>;
    settings: Record<string, unknown>;
  };
  readonly requests: () => number;
  /** Events that were late arrive now. */
  readonly arriveLate: () => void;
}

const people: Record<PersonalityName, (world: World, settings: SimulatorSettings) => Personality> = {
  'edr-a': edrA,
  'edr-b': edrB,
  'edr-b-ngsiem': edrBNgsiem,
  'edr-c': (world, { isOld = false }) => edrC(world, { isOld }),
};

/**
 * The request at which a simulator with the fault `restart` ends first. Each time it then runs half as long again: four
 * streams that are read at once, each signing in, starting jobs and asking for their answers, never end where the server
 * ends every few requests for ever.
 */
const firstRestart = 9;

/** Listens on this machine alone, on a free port unless one is given. */
export async function startSimulator(settings: SimulatorSettings): Promise<Simulator> {
  const { as, events, faults = [], port = 0, clock = Date.now } = settings;
  const { world, arriveLate, forget } = createWorld({ events, faults, clock });
  const personality = people[as](world, settings);
  let requests = 0;
  let restart = { at: firstRestart, gap: firstRestart };
  const answer = async (request: Parameters<Personality>[0]): Promise<Reply> => {
    requests += 1;
    if (world.has('rate-limit') && requests % 4 === 0)
      return { status: 429, headers: { 'retry-after': '0' }, json: {} };
    // A server that ends breaks connections off, and has forgotten all when it is back.
    if (world.has('restart') && requests >= restart.at) {
      const gap = Math.ceil(restart.gap * 1.5);
      restart = { at: requests + gap, gap };
      forget();
      return undefined;
    }
    return personality(request);
  };
  const server = createServer((request, response) => {
    void text(request)
      .then(async (body) => {
        const url = new URL(request.url ?? '/', 'http://simulator');
        const { headers, method = 'GET' } = request;
        const reply = await answer({
          method,
          path: decodeURIComponent(url.pathname),
          query: url.searchParams,
          headers: headers as Record<string, string | undefined>,
          body,
        });
        if (reply === undefined) {
          request.socket.destroy();
          return;
        }
        response.sendDate = false;
        response.writeHead(reply.status, {
          'content-type': 'application/json',
          date: new Date(world.now()).toUTCString(),
          ...reply.headers,
        });
        response.end(reply.json === undefined ? undefined : JSON.stringify(reply.json));
      })
      .catch(() => request.socket.destroy());
  });
  const url = await listenHere(server, { service: 'the simulator', port, portSetting: '--port' });
  return {
    url,
    config: configOf(as, url),
    requests: () => requests,
    arriveLate,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function configOf(as: PersonalityName, url: string): Simulator['config'] {
  const client = { client_id: 'simulator', client_secret: simulatorSecret };
  if (as === 'edr-a')
    return {
      edr_framework: as,
      credentials: { tenant_id: 'simulated', ...client },
      settings: { authority_url: url, api_url: `${url}/v1.0` },
    };
  const credentials =
    as === 'edr-c' ? { base_url: url, api_token: simulatorSecret } : { base_url: url, ...client };
  return { edr_framework: as, credentials, settings: {} };
}
