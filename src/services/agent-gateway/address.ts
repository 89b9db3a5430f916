import { hostname } from 'node:os';
import type { PlatformConfig } from '#base/config/platform.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import { originOf } from '#base/http/listen.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { agentGatewaySections } from './config.ts';

type Config = Pick<PlatformConfig, 'host' | 'port'> & ConfigOf<typeof agentGatewaySections>;

/** The base URL for clients, known once the service listens. */
export function addressOf(app: HttpApp, config: Config) {
  const port = () => {
    const address = app.server.address();
    return address === null || typeof address === 'string' ? config.port.agentGateway : address.port;
  };
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const base = () => config.agentGateway.publicUrl?.replace(/\/+$/, '') ?? `http://${host}:${port()}`;
  return { port, base };
}

/** The URL at which other gateway processes reach this one. */
export function advertisedAddress({ host, agentGateway }: Config, port: number): string {
  const { clusterUrl } = agentGateway;
  if (clusterUrl !== undefined) return clusterUrl.replace(/\/+$/, '');
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return originOf(isEverywhere ? hostname() : host, port);
}
