/** When a server was heard, and since when it is not. */
import { AppError } from '#base/errors.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Setback } from './pool-entry.ts';

/** Nobody listens there, or there is no way to it. A connection that breaks off says nothing of the next one. */
const noWay = new Set([
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const mostCauses = 10;

/** Whether the server cannot be reached at all, and other calls will fail as this one. */
export function isOutage(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.code !== 'unreachable') return false;
  const causes: unknown[] = [error.cause];
  // Several addresses of one name fail together, each with its own reason.
  for (const cause of causes) {
    if (!(cause instanceof Error) || causes.length > mostCauses) continue;
    if ('code' in cause && noWay.has(String(cause.code))) return true;
    causes.push(cause.cause, ...(cause instanceof AggregateError ? (cause.errors as unknown[]) : []));
  }
  return false;
}

/** What a caller is told of a server that is down. */
export function outageError(
  { name }: McpServer,
  { sinceMs, untilMs, error }: Setback,
  nowMs: number,
): AppError {
  const since = new Date(sinceMs).toISOString();
  const waitMs = untilMs - nowMs;
  const again = waitMs > 0 ? ` It is tried again in ${Math.ceil(waitMs / 1000)} s.` : '';
  return new AppError(
    502,
    'upstream_failed',
    `The MCP server ${name} is not available since ${since}: ${error.message}${again}`,
    { cause: error },
  );
}
