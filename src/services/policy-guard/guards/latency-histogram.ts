/**
 * Latencies in buckets that grow by an eighth: bucket 0 ends at 0.05 ms, the last has no end.
 * Two histograms are merged by adding their counts, so processes can count apart.
 */
export const latencyBucketCount = 120;

const firstEndMs = 0.05;
const growth = 1.125;

const endOf = (bucket: number) => firstEndMs * growth ** bucket;

/** The bucket of a latency. */
export function latencyBucket(ms: number): number {
  if (!(ms > firstEndMs)) return 0;
  const bucket = Math.ceil(Math.log(ms / firstEndMs) / Math.log(growth));
  return Math.min(bucket, latencyBucketCount - 1);
}

/**
 * The latency that a share of all stays at or below, in ms, interpolated inside its bucket; null when none was counted.
 * @param share 0..1, such as 0.95.
 */
export function latencyQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const start = bucket === 0 ? 0 : endOf(bucket - 1);
      return start + (endOf(bucket) - start) * ((rank - before) / count);
    }
    before += count;
  }
  return endOf(latencyBucketCount - 1);
}
