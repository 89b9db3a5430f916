import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, LoadingRows } from './states.tsx';

/** What a query has brought, or that it loads, or why it failed. */
export function QueryView<T>({
  query,
  loading = <LoadingRows />,
  children,
}: {
  query: UseQueryResult<T>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return loading;
}
