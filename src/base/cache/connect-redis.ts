import { Redis } from 'ioredis';

/** Bounds the queue of commands whose callers have timed out. */
const forgottenAfterMs = 2000;
const connectTimeoutMs = 2000;

/** A connection that fails commands at once while there is no server, and reconnects automatically. */
export const connectRedis = (url: string, timeoutMs: number): Redis =>
  new Redis(url, {
    connectTimeout: connectTimeoutMs,
    commandTimeout: timeoutMs + forgottenAfterMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  });
