import { useEffect, useState } from 'react';
import { followQueries, type QueryEntry, type QueryFilter } from '../../api/monitoring.ts';

/** The page keeps this many of the newest entries. */
const mostKept = 1_000;

interface Live {
  /** The newest first. */
  readonly entries: readonly QueryEntry[];
  readonly failure: unknown;
}

const nothing: Live = { entries: [], failure: undefined };

/** The entries that arrived since the page was opened, while `enabled`. */
export function useLiveQueries(filter: QueryFilter, enabled: boolean): Live {
  const [live, setLive] = useState<Live>(nothing);
  const wanted = JSON.stringify(filter);
  useEffect(() => {
    if (!enabled) return undefined;
    setLive(nothing);
    const stop = new AbortController();
    const onEntry = (entry: QueryEntry) =>
      setLive(({ entries }) => ({
        entries: entries.some(({ query_id: id }) => id === entry.query_id)
          ? entries
          : [entry, ...entries].slice(0, mostKept),
        failure: undefined,
      }));
    followQueries(JSON.parse(wanted) as QueryFilter, onEntry, stop.signal).catch((failure: unknown) =>
      setLive({ entries: [], failure }),
    );
    return () => stop.abort();
  }, [wanted, enabled]);
  return live;
}
