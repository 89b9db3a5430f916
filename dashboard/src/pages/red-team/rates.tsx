import type { Rates } from '../../api/red-team.ts';
import { FigureTable } from '../../parts/figure-table.tsx';
import { countText, intervalText, rateNames, rateText } from './words.ts';

const intervalColumn = '95 % interval';

/** All figures of a run with their intervals, as a table. */
export const RateTable = ({ rates, label }: { rates: Rates; label: string }) => (
  <FigureTable
    label={label}
    columns={['Figure', 'Share', 'Tasks', intervalColumn]}
    wideColumn={intervalColumn}
  >
    {rateNames.map(([key, name, note]) => (
      <tr key={key} className="border-t border-line">
        <th scope="row" className="py-2 pr-4 text-left font-normal">
          {name} <span className="block text-[13px] text-ink-soft">{note}</span>
        </th>
        <td className="py-2 pr-4 text-right font-medium whitespace-nowrap tabular-nums">
          {rateText(rates[key])}
          <span className="block text-xs font-normal text-ink-soft sm:hidden">
            {intervalText(rates[key])}
          </span>
        </td>
        <td className="py-2 text-right whitespace-nowrap tabular-nums sm:pr-4">{countText(rates[key])}</td>
        <td className="py-2 text-right max-sm:hidden whitespace-nowrap text-ink-soft tabular-nums">
          {intervalText(rates[key])}
        </td>
      </tr>
    ))}
  </FigureTable>
);

/** Attack success of the parts of a run, with a bar each. */
export const PartTable = ({
  label,
  parts,
  nameOf = (id) => id,
}: {
  label: string;
  parts: Readonly<Record<string, Rates>>;
  nameOf?: (id: string) => string;
}) => {
  const rows = Object.entries(parts).filter(([, { asr }]) => asr.of > 0);
  if (rows.length === 0) return <p className="text-sm text-ink-soft">No attack was assessed.</p>;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-sm" aria-label={label}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Attack success</th>
            <th scope="col">Tasks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([id, { asr }]) => (
            <tr key={id} className="border-t border-line first:border-0">
              <th scope="row" className="w-full py-1.5 pr-3 text-left font-normal">
                {nameOf(id)}
                <span className="mt-1 block h-1.5 w-full overflow-hidden rounded-full bg-raised" aria-hidden>
                  <span
                    className="block h-full rounded-full bg-flag"
                    style={{ width: `${(asr.rate ?? 0) * 100}%` }}
                  />
                </span>
              </th>
              <td
                className="py-1.5 pr-3 text-right align-top whitespace-nowrap tabular-nums"
                title={`95 % interval: ${intervalText(asr)}`}
              >
                {rateText(asr)}
              </td>
              <td className="py-1.5 text-right align-top whitespace-nowrap text-ink-soft tabular-nums">
                {countText(asr)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
