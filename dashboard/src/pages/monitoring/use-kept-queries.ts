import { useInfiniteQuery } from '@tanstack/react-query';
import { monitoring, type QueryFilter } from '../../api/monitoring.ts';

const pageSize = 500;

/** The log, newest first, page after page: `fetchNextPage` goes further back, however long it is. */
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
    // Page after page would be asked for again; the stream brings what is new.
    refetchOnWindowFocus: false,
  });
