/** How a process stops serving, so that every request gets a response. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { PlatformConfig } from '../config/platform.ts';
import type { Readiness } from '../readiness/readiness.ts';
import type { HttpApp } from './server.ts';

interface Serving {
  readonly app: HttpApp;
  readonly grpc?: { readonly asked: number } | undefined;
}

/** While requests still arrive, the load balancer has not noticed yet: wait up to this long besides the delay. */
const unnoticedMs = 5000;
const tickMs = 20;

/**
 * Before anything is disposed: /readyz returns 503 and each response closes its connection, until no request has come
 * for `delayMs`; then new requests are refused, and those in progress are answered within `timeoutMs`. All services
 * at once: the front door waits for the requests that it forwards.
 */
export async function endServing(
  running: readonly Serving[],
  readiness: Readiness,
  { delayMs, timeoutMs }: PlatformConfig['shutdown'],
): Promise<void> {
  readiness.drain();
  for (const { app } of running) app.endConnectionsWithAnswers();
  await untilQuiet(running, delayMs);
  const late = setTimeout(() => {
    for (const { app } of running) app.server.closeAllConnections();
  }, timeoutMs);
  await Promise.all(running.map(({ app }) => app.close()));
  clearTimeout(late);
}

/**
 * A busy process is quiet only when it has looked: what is counted are turns of the event loop in which nothing came, each
 * after a tick, rather than the time.
 */
async function untilQuiet(running: readonly Serving[], delayMs: number): Promise<void> {
  const countAsked = () =>
    running.reduce((sum, { app, grpc }) => sum + app.arrivals.asked + (grpc?.asked ?? 0), 0);
  const until = performance.now() + delayMs + unnoticedMs;
  const ticks = Math.ceil(delayMs / tickMs);
  let [quiet, seen] = [0, countAsked()];
  while (quiet < ticks && performance.now() < until) {
    await sleep(delayMs / ticks);
    await turn();
    const asked = countAsked();
    const isQuiet = asked === seen && !running.some(({ app }) => app.arrivals.isAwaited);
    quiet = isQuiet ? quiet + 1 : 0;
    seen = asked;
  }
}
