import { Link } from '@tanstack/react-router';
import type { Rate, RunStats } from '../../api/red-team.ts';
import { domainName, rateText } from './words.ts';

/** The deepest colour is mixed with so much of the ground that text on it stays readable in both themes. */
const deepestPercent = 38;

/** Attack success by category and domain; each cell shows its value, so that colour is not the only information. */
export function HeatMap({
  map,
  nameOf,
}: {
  map: RunStats['heat_map'];
  nameOf: (category: string) => string;
}) {
  const rows = Object.keys(map);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(map[row] ?? {})))].sort();
  if (rows.length === 0) return <p className="text-sm text-ink-soft">No attack was assessed.</p>;
  return (
    <div
      className="overflow-x-auto"
      role="region"
      aria-label="Attack success by category and domain"
      tabIndex={0}
    >
      <table className="w-full border-separate border-spacing-0.5 text-[13px]">
        <thead>
          <tr>
            <th scope="col" className="text-left font-medium text-ink-soft">
              Category
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-1 pb-1 align-bottom font-medium text-ink-soft">
                {domainName(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((category) => (
            <tr key={category}>
              <th
                scope="row"
                className="max-w-64 truncate pr-2 text-left font-normal"
                title={nameOf(category)}
              >
                {nameOf(category)}
              </th>
              {columns.map((domain) => (
                <td key={domain} className="p-0">
                  <HeatCell category={category} domain={domain} rate={map[category]?.[domain]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeatCell({ category, domain, rate }: { category: string; domain: string; rate: Rate | undefined }) {
  if (rate === undefined || rate.rate === null)
    return <span className="block rounded-sm bg-raised px-2 py-1 text-center text-ink-soft">–</span>;
  return (
    <Link
      to="."
      search={{ tab: 'results', category, domain, outcome: rate.count > 0 ? 'failed' : '' }}
      title={`${rate.count} of ${rate.of} attacks succeeded`}
      aria-label={`${category}, ${domainName(domain)}: ${rateText(rate)}`}
      className="block rounded-sm px-2 py-1 text-center text-ink tabular-nums hover:outline-2 hover:outline-accent"
      style={{
        background: `color-mix(in oklch, var(--flag) ${Math.round(rate.rate * deepestPercent)}%, var(--panel))`,
      }}
    >
      {rateText(rate)}
    </Link>
  );
}
