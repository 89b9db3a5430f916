import { StartupError } from '../errors.ts';
import { isLoopback } from '../http/listen.ts';
import type { PlatformConfig } from './platform.ts';

/** @throws StartupError where other machines could call without signing in, and nobody has accepted that */
export function refuseOpenDoors({
  auth,
  host,
  insecurePublic,
}: Pick<PlatformConfig, 'auth' | 'host' | 'insecurePublic'>): void {
  if (auth.enabled || isLoopback(host) || insecurePublic) return;
  throw new StartupError(
    `Authentication is off and ${host} can be reached from other machines. Enable it (BULWARK_AUTH_ENABLED=true), ` +
      'listen on 127.0.0.1, or accept the risk with BULWARK_INSECURE_PUBLIC=true.',
  );
}
