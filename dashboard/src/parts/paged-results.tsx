import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { QueryView } from './query-view.tsx';
import { Empty } from './states.tsx';

/** A page of the results of a test, and how many there are in all. */
interface Page<Result> {
  readonly results: readonly Result[];
  readonly total: number;
}

/** Results that are loaded page by page; while a filter changes, those before it stay. */
export const usePagedResults = <P extends Page<unknown>>(
  queryKey: QueryKey,
  load: (offset: number) => Promise<P>,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { results }) => sum + results.length, 0);
      return loaded < total ? loaded : undefined;
    },
    placeholderData: keepPreviousData,
  });

/** The loaded results with a line about them, and a button that loads more. */
export function PagedResults<P extends Page<unknown>>({
  query,
  none,
  note,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<P>>;
  /** Said where no result fits the filters. */
  none: string;
  /** The line, of the newest page. */
  note: (page: P) => string;
  children: (results: readonly P['results'][number][]) => ReactNode;
}) {
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const results = pages.flatMap((page): readonly P['results'][number][] => page.results);
        const last = pages.at(-1);
        if (last === undefined || results.length === 0)
          return (
            <Empty icon={ListFilter} title="No such result">
              {none}
            </Empty>
          );
        return (
          <>
            <p className="mb-2 text-[13px] text-ink-soft">{note(last)}</p>
            {children(results)}
            {query.hasNextPage && (
              <Button className="mt-3" busy={query.isFetching} onClick={() => void query.fetchNextPage()}>
                More
              </Button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}
