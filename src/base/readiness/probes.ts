import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/**
 * Adds `/livez` (200 as long as the process answers at all) and `/readyz` (200, or 503 with the checks that fail; and while a previous
 * secret key is set, whether it is still needed). Neither
 * needs a sign-in: they reveal nothing secret, and asking costs at most one short query a second.
 */
export function addProbes(app: FastifyInstance, readiness: Readiness): void {
  // A process that responds is alive, even if its checks fail: it must not be restarted because its database is
  // unavailable.
  app.get('/livez', { config: { operation: 'livez' } }, (_, reply) =>
    reply.send({ status: 'ok', checks: readiness.latest().checks }),
  );
  app.get('/readyz', { config: { operation: 'readyz' } }, async (_, reply) => {
    const { status, checks } = await readiness.state();
    return reply.code(status === 'ok' ? 200 : 503).send({ status, checks, ...readiness.keyRotation });
  });
}
