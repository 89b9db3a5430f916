import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

/** Serves the service's metrics to whoever can reach it, as Prometheus asks for them; nothing where they are off. */
export function addMetrics(app: FastifyInstance, path: string, metrics: Metrics | undefined): void {
  if (metrics === undefined) return;
  app.get(path, async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
