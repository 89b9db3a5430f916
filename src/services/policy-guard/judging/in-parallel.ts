/**
 * The outcomes of `ask` for each item, in order, with at most `atATime` under way. The first failure is thrown, and
 * no further item is started after it.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atATime: number,
  ask: (item: T) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) outcomes[at] = await ask(items[at] as T);
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
  } catch (error) {
    next = items.length;
    throw error;
  }
  return outcomes;
}
