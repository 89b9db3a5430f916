import type { FastifyInstance } from 'fastify';
import type { CheckName, Readiness } from './readiness.ts';

const names: readonly CheckName[] = ['database', 'migrations', 'keys', 'draining'];

/**
 * Adds `/livez` (200 as long as the process answers at all) and `/readyz` (200, or 503 with the checks that fail), for
 * everyone: the state is not secret, and costs at most one short query per second.
 */
export function addProbes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', { config: { operation: 'livez' } }, (_, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', { config: { operation: 'readyz' } }, async (_, reply) => {
    const { isReady, failing } = await readiness.state();
    const checks = Object.fromEntries(names.map((name) => [name, failing.includes(name) ? 'failing' : 'ok']));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready', failing, checks });
  });
}
