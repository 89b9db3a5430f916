const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** Parses a `traceparent` header (W3C Trace Context §3.2); undefined if invalid. */
export function readTraceparent(
  header: string,
): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId, spanId, flags, more] = pattern.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Only later versions may have more fields.
  if (more === '-' && header.startsWith('00')) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}
