/** What was let through of one bucket since the last time. */
export interface Spent {
  readonly key: string;
  readonly perMinute: number;
  readonly tokens: number;
}

/** Token buckets that all processes have in common; their clock is that of the store. */
export interface SharedBuckets extends AsyncDisposable {
  readonly kind: 'redis' | 'postgres';
  /** Maximum wait for a response, in ms. */
  readonly timeoutMs: number;
  /**
   * Takes from the buckets what was spent, each key once, in one round trip.
   * @returns the tokens that are left in each, in the same order; down to −perMinute where more was spent than there was
   * @throws if the store does not respond
   */
  spend(spent: readonly Spent[]): Promise<readonly number[]>;
}
