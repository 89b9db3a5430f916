import type { PlatformConfig } from '#base/config/platform.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { agentGatewaySections } from './config.ts';

type Config = Pick<PlatformConfig, 'host' | 'port'> & ConfigOf<typeof agentGatewaySections>;

/** Where clients reach this service, once it listens. */
export function addressOf(app: HttpApp, config: Config) {
  const port = () => {
    const address = app.server.address();
    return address === null || typeof address === 'string' ? config.port.agentGateway : address.port;
  };
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const base = () => config.agentGateway.publicUrl?.replace(/\/+$/, '') ?? `http://${host}:${port()}`;
  return { port, base };
}
