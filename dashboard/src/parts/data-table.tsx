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

/**
 * Creates the columns of a table with rows of this type. Columns whose id begins with `#` align numbers to the right.
 */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof features, Row>();

/** More rows are requested when fewer than this are left below. */
const rowsAhead = 40;

interface Table<Row extends RowData> {
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** For rows without a link: the label of a button that opens them, for keyboard users. */
  readonly openLabel?: (row: Row) => string;
  /** Called when the last rows come into view, for lists that load page by page. */
  readonly onNearEnd?: () => void;
}

/** A table. Only rows in view are rendered, so that it scrolls smoothly with a hundred thousand rows. */
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
  const body = useRef<HTMLTableSectionElement>(null);
  const all = table.getRowModel().rows;
  const { visible, before, after, rowProps } = useRowsInSight(body, all);
  const isNearEnd = (visible.at(-1) ?? 0) >= all.length - rowsAhead;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, all.length, onNearEnd]);
  return (
    <div
      // Where the table is wider than its place, it scrolls sideways, and must be focusable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={label}
      // `relative`: otherwise elements for screen readers would widen the page. On a wide screen nothing scrolls sideways,
      // so that the header stays at the top of the window.
      className="relative overflow-x-auto rounded-xl border border-line bg-panel shadow-panel xl:overflow-visible"
    >
      {/* On a phone each row is a block, and each cell a line with its column name. */}
      <table className="w-full text-sm max-sm:block" aria-label={label} aria-rowcount={all.length}>
        <thead className="sticky top-0 z-10 max-sm:sr-only">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-line text-left text-[13px] text-ink-soft">
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  className={cn(
                    'bg-panel px-4 py-2.5 font-medium whitespace-nowrap first:rounded-tl-xl last:rounded-tr-xl',
                    isNumber(header.id) && 'text-right',
                  )}
                >
                  <span className={cn(isActions(header.id) && 'sr-only')}>
                    <table.FlexRender header={header} />
                  </span>
                </th>
              ))}
              {openLabel !== undefined && (
                <th scope="col" className="rounded-tr-xl bg-panel">
                  <span className="sr-only">Open</span>
                </th>
              )}
            </tr>
          ))}
        </thead>
        <tbody ref={body} className="max-sm:block">
          {before > 0 && <tr style={{ height: before }} aria-hidden />}
          {visible.map((index) => {
            const row = all[index];
            if (row === undefined) return null;
            const open = onOpen && (() => onOpen(row.original));
            return (
              <tr
                key={row.id}
                {...rowProps(index)}
                className={cn(
                  'border-b border-line last:border-0 max-sm:relative max-sm:block max-sm:py-2.5',
                  open && 'cursor-pointer hover:bg-raised',
                )}
                onClick={open && onOwnClick(open)}
              >
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={cellLook(cell.column.id)}>
                    {!isActions(cell.column.id) && <NameOnPhone name={cell.column.columnDef.header} />}
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

const isNumber = (columnId: string) => columnId.startsWith('#');

/** Buttons of a row need no name above them. */
const isActions = (columnId: string) => columnId === 'actions';

const cellLook = (columnId: string) =>
  cn(
    'align-top max-sm:flex max-sm:gap-3 max-sm:px-4 max-sm:py-1 sm:px-4 sm:py-3',
    // On a phone a cell without a value is left out.
    'max-sm:has-[>:last-child:empty:not(input)]:hidden',
    isNumber(columnId) && 'whitespace-nowrap tabular-nums sm:text-right',
    // Buttons have their own height; less padding above aligns them with the row's first line of text.
    isActions(columnId) && 'whitespace-nowrap sm:w-0 sm:py-1.5 [&>:last-child]:justify-end',
  );

const NameOnPhone = ({ name }: { name: unknown }) =>
  typeof name === 'string' ? (
    <span className="w-24 shrink-0 text-[13px] text-ink-soft sm:hidden" aria-hidden>
      {name}
    </span>
  ) : null;

/** Whether the click was on the row itself, not on a link, button or field in it. */
const onOwnClick =
  (open: () => void) =>
  ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a,button,input,label') === null) open();
  };

const OpenCell = ({ label, onOpen }: { label: string; onOpen: (() => void) | undefined }) => (
  <td className="align-top max-sm:absolute max-sm:top-1.5 max-sm:right-2 sm:py-2 sm:pr-3">
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
