import { Link } from '@tanstack/react-router';

/** The deepest colour is mixed with so much of the ground that text on it stays readable in both themes. */
const deepestPercent = 38;

/** A cell that has a value. */
export interface HeatCell {
  /** How much of it is bad, 0 to 1. */
  readonly part: number;
  readonly text: string;
  readonly title: string;
  /** For screen readers, where the text alone says too little. */
  readonly label?: string;
  /** The parameters of this page that show what is counted here. */
  readonly search: Readonly<Record<string, string>>;
}

interface HeatMapProps {
  /** What the map shows, for screen readers. */
  readonly label: string;
  /** What the rows are. */
  readonly corner: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly rowName?: (row: string) => string;
  readonly columnName?: (column: string) => string;
  readonly cellOf: (row: string, column: string) => HeatCell | undefined;
}

const itself = (name: string) => name;

/** A grid of shares; each cell shows its value, so that colour is not the only information. */
export const HeatMap = ({
  label,
  corner,
  rows,
  columns,
  rowName = itself,
  columnName = itself,
  cellOf,
}: HeatMapProps) => (
  <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
    <table className="w-full border-separate border-spacing-0.5 text-[13px]">
      <thead>
        <tr>
          <th scope="col" className="text-left font-medium text-ink-soft">
            {corner}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-1 pb-1 align-bottom font-medium text-ink-soft">
              {columnName(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            <th scope="row" className="max-w-64 min-w-44 py-1 pr-2 text-left leading-tight font-normal">
              {rowName(row)}
            </th>
            {columns.map((column) => (
              <td key={column} className="p-0">
                <Cell cell={cellOf(row, column)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function Cell({ cell }: { cell: HeatCell | undefined }) {
  if (cell === undefined)
    return <span className="block rounded-sm bg-raised px-2 py-1 text-center text-ink-soft">–</span>;
  const { part, text, title, label, search } = cell;
  return (
    <Link
      to="."
      search={search}
      title={title}
      aria-label={label}
      className="block rounded-sm px-2 py-1 text-center text-ink tabular-nums hover:outline-2 hover:outline-accent"
      style={{
        background: `color-mix(in oklch, var(--flag) ${Math.round(part * deepestPercent)}%, var(--panel))`,
      }}
    >
      {text}
    </Link>
  );
}
