import {
  createColumnHelper,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { cn } from './cn.ts';

const features = tableFeatures({});

export type Columns<Row extends RowData> = ColumnDef<typeof features, Row, unknown>[];

/** Makes the columns of a table of such rows. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof features, Row>();

/** Above so many rows only those in sight are in the page. */
const virtualFrom = 100;
const rowHeightPx = 49;

/** A table whose rows open something; ten thousand of them scroll as ten do. */
export function DataTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowKey,
  onOpen,
}: {
  label: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  onOpen?: (row: Row) => void;
}) {
  const table = useTable({ features, columns, data: rows as Row[], getRowId: rowKey });
  const scroller = useRef<HTMLDivElement>(null);
  const all = table.getRowModel().rows;
  const isLong = all.length > virtualFrom;
  const virtual = useVirtualizer({
    count: all.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  });
  const shown = isLong ? virtual.getVirtualItems() : undefined;
  const before = shown?.[0]?.start ?? 0;
  const after = shown === undefined ? 0 : virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const visible = shown === undefined ? all : shown.flatMap(({ index }) => all[index] ?? []);
  return (
    <div
      ref={scroller}
      // A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn(
        'overflow-x-auto rounded-xl border border-line bg-panel shadow-panel',
        isLong && 'max-h-[70vh] overflow-y-auto',
      )}
    >
      <table className="w-full text-sm" aria-label={label} aria-rowcount={all.length}>
        <thead className="sticky top-0 z-10 bg-panel">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-line text-left text-[13px] text-ink-soft">
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className="px-4 py-2.5 font-medium whitespace-nowrap">
                  {header.isPlaceholder ? null : <table.FlexRender header={header} />}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} aria-hidden />}
          {visible.map((row) => (
            <tr
              key={row.id}
              className={cn('border-b border-line last:border-0', onOpen && 'cursor-pointer hover:bg-raised')}
              onClick={
                onOpen &&
                (({ target }) => {
                  if (!(target instanceof Element) || target.closest('a,button,input,label') === null)
                    onOpen(row.original);
                })
              }
            >
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className="px-4 py-3 align-top">
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <tr style={{ height: after }} aria-hidden />}
        </tbody>
      </table>
    </div>
  );
}
