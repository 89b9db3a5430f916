import { AppError } from '#base/errors.ts';
import { accessOf, type PollerDeps } from './poller.ts';
import { sourceKinds } from './sources/kinds.ts';
import type { Source } from './sources/source.ts';
import type { Connector } from './store.ts';

export interface ConnectorTest {
  ok: boolean;
  error: string | null;
  streams: { stream: string; ok: boolean; rows: number; error: string | null }[];
}

const lastMs = 15 * 60_000;
const timeoutMs = 60_000;

/** Signs in at the source and asks each stream for the last quarter of an hour, keeping nothing. */
export async function trySource(
  deps: Pick<PollerDeps, 'outbound' | 'clock' | 'vault' | 'apiHosts'>,
  connector: Connector,
): Promise<ConnectorTest> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { streams, open } = sourceKinds[connector.kind];
  let source: Source;
  try {
    source = await open(accessOf(deps, connector, signal));
  } catch (error) {
    return { ok: false, error: reasonOf(error, signal), streams: [] };
  }
  const to = new Date(deps.clock.now() + Math.min(0, source.skewMs()));
  const tried = await Promise.all(
    streams.map(async (stream) => {
      try {
        // The first part is enough to know that it answers.
        for await (const { rows } of source.read(stream, new Date(to.getTime() - lastMs), to))
          return { stream, ok: true, rows: rows.length, error: null };
        return { stream, ok: true, rows: 0, error: null };
      } catch (error) {
        return { stream, ok: false, rows: 0, error: reasonOf(error, signal) };
      }
    }),
  );
  return { ok: tried.every(({ ok }) => ok), error: null, streams: tried };
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The source did not answer within a minute.';
  if (error instanceof AppError) return error.detail;
  throw error;
}
