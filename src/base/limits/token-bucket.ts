/** The token bucket: a minute's requests may come at once, then they come evenly. */

export interface TokenBucket {
  /** Below 0 where other processes let more through than there was. */
  tokens: number;
  atMs: number;
}

const minuteMs = 60_000;

export const fullBucket = (perMinute: number, nowMs: number): TokenBucket => ({
  tokens: perMinute,
  atMs: nowMs,
});

/** Adds what has come in since; a clock that was set back adds nothing. */
export function refill(bucket: TokenBucket, perMinute: number, nowMs: number): void {
  const gained = (Math.max(0, nowMs - bucket.atMs) * perMinute) / minuteMs;
  bucket.tokens = Math.min(perMinute, bucket.tokens + gained);
  bucket.atMs = nowMs;
}

/** Until there is one token. */
export const waitSeconds = ({ tokens }: TokenBucket, perMinute: number): number =>
  ((1 - tokens) * 60) / perMinute;
