/**
 * The value of a promise, within the given number of milliseconds.
 * @throws Error with the message where it is late
 */
export async function inTime<T>(answer: Promise<T>, timeoutMs: number, message: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // A busy process finds its timers due before it has looked for what arrived meanwhile: it looks once more first.
  const timer = setTimeout(
    () => setImmediate(() => setImmediate(() => reject(new Error(message)))),
    timeoutMs,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
