import { connectRedis } from '../cache/connect-redis.ts';
import type { SharedBuckets } from './shared-buckets.ts';

/** All buckets of one message; a bucket unused for three minutes is full again, and expires. */
const spendScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local left = {}
  for i, key in ipairs(KEYS) do
    local per_minute, spent = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
    local known = redis.call('HMGET', key, 'tokens', 'at')
    local tokens, at = tonumber(known[1] or per_minute), tonumber(known[2] or now)
    local gained = math.max(0, now - at) * per_minute / 60000
    tokens = math.max(math.min(per_minute, tokens + gained) - spent, -per_minute)
    left[i] = string.format('%.9g', tokens)
    redis.call('HSET', key, 'tokens', string.format('%.17g', tokens), 'at', string.format('%.17g', now))
    redis.call('PEXPIRE', key, 180000)
  end
  return left`;

/** Buckets in Redis, below `bulwark:limit:`. */
export function redisBuckets({ url, timeoutMs }: { url: string; timeoutMs: number }): SharedBuckets {
  const redis = connectRedis(url, timeoutMs);
  // Each failing command reports its own error.
  redis.on('error', () => undefined);
  return {
    kind: 'redis',
    timeoutMs,
    async spend(spent) {
      const keys = spent.map(({ key }) => `bulwark:limit:${key}`);
      const numbers = spent.flatMap(({ perMinute, tokens }) => [perMinute, tokens]);
      const left = (await redis.eval(spendScript, keys.length, ...keys, ...numbers)) as string[];
      return left.map(Number);
    },
    [Symbol.asyncDispose]() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
