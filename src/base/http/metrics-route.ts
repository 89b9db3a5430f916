import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

/**
 * Serves the service's Prometheus metrics; no-op if they are off.
 * @param admit throws AppError for callers who may not see them; default: everyone may.
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
