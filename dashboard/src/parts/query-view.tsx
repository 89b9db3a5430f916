import type { ReactNode } from 'react';
import type { Place } from '../frame/places.ts';
import { PageHead } from './page.tsx';
import { Failure, LoadingRows } from './states.tsx';

/** As the query library has it, whether it brings one answer or page after page. */
interface Query<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** What a query has brought, or that it loads, or why it failed. */
export function QueryView<T>({
  query,
  loading = <LoadingRows />,
  list,
  children,
}: {
  query: Query<T>;
  loading?: ReactNode;
  /** Of a page whose head comes with the data: the list to go back to where it does not come. */
  list?: Pick<Place, 'to' | 'name'>;
  children: (data: T) => ReactNode;
}) {
  const failure = query.isError && <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <>
        {failure && list !== undefined && <PageHead list={list} title="This cannot be shown" />}
        {failure || loading}
      </>
    );
  return (
    <>
      {/* What was there before stays in sight, and that it may be old is told. */}
      {failure && <div className="mb-4">{failure}</div>}
      {children(query.data)}
    </>
  );
}
