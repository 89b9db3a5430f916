import {
  createColumnHelper,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, type MouseEvent } from 'react';
import { cn } from './cn.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';

const features = tableFeatures({});

export type Columns<Row extends RowData> = ColumnDef<typeof features, Row, unknown>[];

/** Makes the columns of a table of such rows. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof features, Row>();

/** More is asked for when so few rows are left below. */
const rowsAhead = 40;

interface Table<Row extends RowData> {
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** For rows without a link of their own: the words of a button that opens them, for those who use no mouse. */
  readonly openLabel?: (row: Row) => string;
  /** Called while the last rows come into sight, for lists that load piece by piece. */
  readonly onNearEnd?: () => void;
}

/** A table whose rows open something; ten thousand of them scroll as ten do. */
export function DataTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowKey,
  onOpen,
  openLabel,
  onNearEnd,
}: Table<Row>) {
  const table = useTable({ features, columns, data: rows as Row[], getRowId: rowKey });
  const scroller = useRef<HTMLDivElement>(null);
  const all = table.getRowModel().rows;
  const { isLong, visible, before, after, rowProps } = useRowsInSight(scroller, all);
  const isNearEnd = (visible.at(-1) ?? 0) >= all.length - rowsAhead;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, all.length, onNearEnd]);
  return (
    <div
      ref={scroller}
      // A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn(
        // `relative`: else what only screen readers see would widen the page.
        'relative overflow-x-auto rounded-xl border border-line bg-panel shadow-panel',
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
              {openLabel !== undefined && (
                <th scope="col">
                  <span className="sr-only">Open</span>
                </th>
              )}
            </tr>
          ))}
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} aria-hidden />}
          {visible.map((index) => {
            const row = all[index];
            if (row === undefined) return null;
            const open = onOpen && (() => onOpen(row.original));
            return (
              <tr
                key={row.id}
                {...rowProps(index)}
                className={cn('border-b border-line last:border-0', open && 'cursor-pointer hover:bg-raised')}
                onClick={open && onOwnClick(open)}
              >
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className="px-4 py-3 align-top">
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
                {openLabel !== undefined && <OpenCell label={openLabel(row.original)} onOpen={open} />}
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} aria-hidden />}
        </tbody>
      </table>
    </div>
  );
}

/** A click on the row itself, and not on something in it that has a click of its own. */
const onOwnClick =
  (open: () => void) =>
  ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a,button,input,label') === null) open();
  };

const OpenCell = ({ label, onOpen }: { label: string; onOpen: (() => void) | undefined }) => (
  <td className="py-2.5 pr-3 align-top">
    <button
      type="button"
      aria-label={label}
      onClick={onOpen}
      className="grid size-7 place-content-center rounded-lg text-ink-soft hover:bg-raised hover:text-ink"
    >
      <ChevronRight className="size-4" aria-hidden />
    </button>
  </td>
);
