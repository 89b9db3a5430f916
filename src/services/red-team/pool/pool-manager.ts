/** The pool manager's own server: health, metrics, and what the pool lends. */
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import { addDocs } from '#base/http/docs.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount, type MountOptions } from '#base/http/mount.ts';
import { createHttpServer, type HttpApp, serverSettings } from '#base/http/server.ts';
import type { PlatformContext } from '#base/context.ts';
import { createMetrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import { poolOperations } from '../contract/pool.ts';
import type { Pool } from './pool.ts';

type Context = Pick<PlatformContext, 'config' | 'log' | 'version' | 'strictAnswers' | 'processMetrics'> & {
  /** As at the service itself, where its requests are counted too. */
  readonly authenticate: MountOptions<Caller>['authenticate'];
};

/** The server; it is not listening yet. */
export function createPoolManager(ctx: Context, pool: Pool): HttpApp {
  const { config, version, strictAnswers, authenticate } = ctx;
  const log = ctx.log.child({ service: 'red_team_pool' });
  const metrics = config.metrics.enabled ? createMetrics('red_team_pool', ctx.processMetrics) : undefined;
  const app = createHttpServer({ service: 'red_team_pool', log, metrics, ...serverSettings(config) });
  mount(
    app,
    poolOperations,
    {
      getPoolHealth: () => ({
        status: pool.isReady ? ('ok' as const) : ('starting' as const),
        version,
        environments: pool.status().length,
      }),
      listPool: () => ({ environments: pool.status(), leases: pool.leases, waiting: pool.waiting }),
    },
    { strictAnswers, authenticate },
  );
  addMetrics(app, config.metrics.path, metrics);
  addDocs(
    app,
    toOpenApiDocument(poolOperations, {
      title: 'Bulwark red-team environment pool',
      description: 'Instances of the sandbox environments in which agents are tested.',
      version,
    }),
  );
  return app;
}
