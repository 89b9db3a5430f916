import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { changeOperations } from '#front-door/contract.ts';
import { authorisedFetch } from '../session/session.ts';
import { events } from './event-stream.ts';

/** What the dashboard’s server tells of. */
export type Changed = 'texts' | 'actions' | 'calls' | 'decisions';

/** However much happens, a page loads once in this time. */
const pauseMs = 2_000;
/** How often a page asks that is not told. */
const untoldMs = 15_000;

type Keys = Readonly<Partial<Record<Changed, readonly QueryKey[]>>>;

/** Loads queries anew when told of their changes, once for all that come together. */
class Loader {
  readonly #queries: QueryClient;
  readonly #keys: Keys;
  readonly #changed = new Set<Changed>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient, keys: Keys) {
    this.#queries = queries;
    this.#keys = keys;
  }

  changed(what = Object.keys(this.#keys) as readonly Changed[]): void {
    for (const each of what) if (this.#keys[each] !== undefined) this.#changed.add(each);
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#load(), pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #load(): void {
    this.#timer = undefined;
    for (const each of this.#changed)
      for (const queryKey of this.#keys[each] ?? []) void this.#queries.invalidateQueries({ queryKey });
    this.#changed.clear();
  }
}

/**
 * Loads these queries when the server tells that they changed; without its stream, every quarter of a minute.
 * @param keys a constant: with other keys the stream is opened again. Undefined: nothing is followed
 */
export function useChanges(keys: Keys | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (keys === undefined) return undefined;
    const stop = new AbortController();
    const loader = new Loader(queries, keys);
    let asking: ReturnType<typeof setInterval> | undefined;
    let opened = 0;
    events(changeOperations.streamChanges.path, {
      fetch: (url, init) => {
        // What happened between two connections is not repeated.
        if (++opened > 1) loader.changed();
        return authorisedFetch(url, init);
      },
      signal: stop.signal,
      onEvent: ({ event, data }) => {
        if (event === 'changed') loader.changed((JSON.parse(data) as { what: Changed[] }).what);
      },
    }).catch(() => {
      asking = setInterval(() => loader.changed(), untoldMs);
    });
    return () => {
      stop.abort();
      loader.stop();
      clearInterval(asking);
    };
  }, [queries, keys]);
}
