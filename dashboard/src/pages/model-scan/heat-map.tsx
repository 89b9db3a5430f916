import { Link } from '@tanstack/react-router';
import type { Summary } from '../../api/model-scan.ts';

type Cell = Summary['coverage'][number];

/** The deepest colour is mixed with so much of the ground that text on it stays readable in both themes. */
const deepestPercent = 38;

const shareOf = ({ succeeded, assessed }: Cell) => (assessed === 0 ? undefined : succeeded / assessed);

/** A grid of data sets and attacks; each cell shows its value, so that colour is not the only information. */
export function HeatMap({ coverage }: { coverage: readonly Cell[] }) {
  const rows = [...new Set(coverage.map(({ dataset }) => dataset))];
  const columns = [...new Set(coverage.map(({ algorithm }) => algorithm))];
  const byPlace = new Map(coverage.map((cell) => [`${cell.dataset}\n${cell.algorithm}`, cell]));
  return (
    <div className="overflow-x-auto" role="region" aria-label="Failures by data set and attack" tabIndex={0}>
      <table className="w-full border-separate border-spacing-0.5 text-[13px]">
        <thead>
          <tr>
            <th scope="col" className="text-left font-medium text-ink-soft">
              Data set
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-1 pb-1 align-bottom font-medium text-ink-soft">
                {name === 'Default' ? 'No attack' : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((dataset) => (
            <tr key={dataset}>
              <th scope="row" className="pr-2 text-left font-normal whitespace-nowrap">
                {dataset}
              </th>
              {columns.map((algorithm) => (
                <td key={algorithm} className="p-0">
                  <HeatCell cell={byPlace.get(`${dataset}\n${algorithm}`)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeatCell({ cell }: { cell: Cell | undefined }) {
  const part = cell === undefined ? undefined : shareOf(cell);
  if (cell === undefined || part === undefined)
    return <span className="block rounded-sm bg-raised px-2 py-1 text-center text-ink-soft">–</span>;
  return (
    <Link
      to="."
      search={{ tab: 'results', outcome: 'failed', dataset: cell.dataset, algorithm: cell.algorithm }}
      title={`${cell.succeeded} of ${cell.assessed} failed`}
      className="block rounded-sm px-2 py-1 text-center text-ink tabular-nums hover:outline-2 hover:outline-accent"
      style={{
        background: `color-mix(in oklch, var(--flag) ${Math.round(part * deepestPercent)}%, var(--panel))`,
      }}
    >
      {Math.round(part * 100)} %
    </Link>
  );
}
