import type { UseQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { Plus, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { DataTable, type Columns } from './data-table.tsx';
import { OwnerFilterField, useOwnerFilter } from './owner-filter.tsx';
import { PageHead } from './page.tsx';
import { QueryView } from './query-view.tsx';
import { Empty } from './states.tsx';

interface List<Data, Row extends RowData> {
  readonly title: string;
  readonly lead: string;
  /** Accessible name of the table; default: the title. */
  readonly label?: string;
  readonly query: UseQueryResult<Data>;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly columns: Columns<Row>;
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** Shown in place of an empty table. */
  readonly empty?: { readonly icon: LucideIcon; readonly title: string; readonly text: string };
  /** Creating an entry: the label of the button, and the form that it opens. */
  readonly create?: { readonly action: string; readonly form: (close: () => void) => ReactNode };
  /** Rows have owners, so the list can be filtered to the user's own. */
  readonly byOwner?: boolean;
  /** Buttons before the one for creating. */
  readonly actions?: ReactNode;
  /** Content below the table. */
  readonly after?: (data: Data) => ReactNode;
}

/** A page with a table of resources and a button to create one. */
export function ListPage<Data, Row extends RowData>({
  title,
  lead,
  label = title,
  query,
  rowsOf,
  columns,
  rowKey,
  onOpen,
  empty,
  create,
  byOwner = false,
  actions,
  after,
}: List<Data, Row>) {
  const [creating, setCreating] = useState(false);
  const onlyOwn = useOwnerFilter() === 'me' && byOwner;
  const make = create && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> {create.action}
    </Button>
  );
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        actions={
          <>
            {actions}
            {make}
          </>
        }
      />
      {byOwner && <OwnerFilterField />}
      <QueryView query={query}>
        {(data) => {
          const rows = rowsOf(data);
          return (
            <div className="grid grid-cols-1 gap-9">
              {rows.length === 0 && empty !== undefined ? (
                <Empty
                  icon={empty.icon}
                  title={onlyOwn ? 'You have none of your own' : empty.title}
                  action={make}
                >
                  {onlyOwn ? 'Choose “Everyone’s” to see what others share with you.' : empty.text}
                </Empty>
              ) : (
                <DataTable label={label} {...{ columns, rows, rowKey }} {...(onOpen && { onOpen })} />
              )}
              {after?.(data)}
            </div>
          );
        }}
      </QueryView>
      {creating && create?.form(() => setCreating(false))}
    </>
  );
}
