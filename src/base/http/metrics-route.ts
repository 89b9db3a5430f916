import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

/**
 * Serves the service's metrics as Prometheus asks for them; nothing where they are off.
 * @param admit who may see them: whoever can reach the service unless said. Throws AppError for anyone else.
 */
export function addMetrics(
  app: FastifyInstance,
  path: string,
  metrics: Metrics | undefined,
  admit?: (request: FastifyRequest) => Promise<void>,
): void {
  if (metrics === undefined) return;
  app.get(path, { onRequest: async (request) => admit?.(request) }, async (_, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}
