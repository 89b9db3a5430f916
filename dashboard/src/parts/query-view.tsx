import type { ReactNode } from 'react';
import type { Place } from '../frame/places.ts';
import { PageHead } from './page.tsx';
import { Failure, LoadingRows } from './states.tsx';

/** Properties that single and paged queries share. */
interface Query<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows the result of a query, a placeholder while it loads, or its error. */
export function QueryView<T>({
  query,
  loading = <LoadingRows />,
  list,
  children,
}: {
  query: Query<T>;
  loading?: ReactNode;
  /** For a page whose title is loaded: the list to go back to if loading fails. */
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
      {/* Earlier data stays visible, with a note that it may be outdated. */}
      {failure && <div className="mb-4">{failure}</div>}
      {children(query.data)}
    </>
  );
}
