/** The standard health service (grpc.health.v1), with the same state as /readyz. */
import type { handleUnaryCall, Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { Readiness } from '../readiness/readiness.ts';

export interface Health {
  /** Reports NOT_SERVING from now on. */
  stop(): void;
}

/** Polling interval for watchers. */
const watchMs = 2000;

/** @param names of the services that it reports; the empty one is the server as a whole. */
export function addHealth(
  server: Server,
  names: readonly string[],
  readiness: Readiness | undefined,
): Health {
  const health = new HealthImplementation();
  let isServing: boolean | undefined;
  let isStopped = false;
  const set = (serving: boolean) => {
    if (serving === isServing) return;
    isServing = serving;
    for (const name of names) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  };
  const refresh = async () => {
    const isReady = readiness === undefined || (await readiness.state()).status === 'ok';
    set(isReady && !isStopped);
  };
  set(true);
  const stop = () => {
    isStopped = true;
    clearInterval(watching);
    set(false);
  };
  const watching = setInterval(() => void refresh(), watchMs).unref();
  readiness?.onDrain(stop);

  health.addToServer({
    addService(service: ServiceDefinition, methods: UntypedServiceImplementation) {
      const answer = methods['check'] as handleUnaryCall<unknown, unknown>;
      // A check refreshes the state first instead of returning a stale one.
      const check: typeof answer = (call, done) => void refresh().then(() => answer(call, done));
      server.addService(service, { ...methods, check });
    },
  } as unknown as Parameters<typeof health.addToServer>[0]);
  return { stop };
}
