import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followQueries } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';

/** However many texts arrive, the figures are asked for once in this time. */
const pauseMs = 2_000;

/** Loads the figures and incidents of texts anew when the service tells of a judged text. */
export function useToldOfTexts(): void {
  const queries = useQueryClient();
  const isRunning = useRunning()('policy-guard');
  useEffect(() => {
    if (!isRunning) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: ['governance'] });
      void queries.invalidateQueries({ queryKey: ['queries', 'incidents'] });
    };
    const onEntry = () => {
      timer ??= setTimeout(load, pauseMs);
    };
    // Without the stream the page asks now and then.
    followQueries({}, onEntry, stop.signal).catch(() => undefined);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [queries, isRunning]);
}
