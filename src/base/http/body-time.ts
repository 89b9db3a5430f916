/** Limits how long an incomplete body may occupy a connection. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A body may take longer by `sweepMs`: one timer for all costs a request less than one for each. */
const preset = { timeoutMs: 120_000, sweepMs: 5000 };

/** Ends requests whose body is not there in time, except on routes that take streams. */
export function limitBodyTime(app: FastifyInstance, { timeoutMs, sweepMs } = preset): void {
  /** By their last moments, which are in order. */
  const arriving = new Map<IncomingMessage, number>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = () => {
    timer = undefined;
    const now = performance.now();
    for (const [request, untilMs] of arriving)
      if (request.complete || request.destroyed) arriving.delete(request);
      else if (untilMs <= now) {
        arriving.delete(request);
        request.destroy();
      }
    if (arriving.size > 0) arm();
  };
  const arm = () => {
    timer ??= setTimeout(sweep, sweepMs).unref();
  };

  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (hasBody && routeOptions.config?.streamsIn !== true) {
      arriving.set(raw, performance.now() + timeoutMs);
      arm();
    }
    done();
  });
  // The body has been read; requests that were refused before that are found by the sweep.
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    arriving.delete(raw);
    done();
  });
}
