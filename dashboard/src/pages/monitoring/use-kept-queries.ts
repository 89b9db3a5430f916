import { useInfiniteQuery } from '@tanstack/react-query';
import { monitoring, type QueryFilter } from '../../api/monitoring.ts';

const pageSize = 500;

/** The query log, newest first; `fetchNextPage` loads older entries. */
export const useKeptQueries = (filter: QueryFilter, words: string) =>
  useInfiniteQuery({
    queryKey: ['queries', 'kept', filter, words],
    queryFn: ({ pageParam: before }) =>
      monitoring.listQueries({
        query: {
          ...filter,
          ...(words !== '' && { search: words }),
          ...(before !== '' && { before }),
          limit: pageSize,
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ queries }) => (queries.length < pageSize ? undefined : queries.at(-1)?.query_id),
    placeholderData: (previous) => previous,
    // A refetch would load all pages again; new entries arrive through the event stream.
    refetchOnWindowFocus: false,
  });
