import type { RunStats } from '../../api/red-team.ts';
import { HeatMap } from '../../parts/heat-map.tsx';
import { domainName, rateText } from './words.ts';

/** Attack success by category and domain. */
export function AttackMap({
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
    <HeatMap
      label="Attack success by category and domain"
      corner="Category"
      rows={rows}
      columns={columns}
      rowName={nameOf}
      columnName={domainName}
      cellOf={(category, domain) => {
        const rate = map[category]?.[domain];
        if (rate === undefined || rate.rate === null) return undefined;
        return {
          part: rate.rate,
          text: rateText(rate),
          title: `${rate.count} of ${rate.of} attacks succeeded`,
          label: `${category}, ${domainName(domain)}: ${rateText(rate)}`,
          search: { tab: 'results', category, domain, outcome: rate.count > 0 ? 'failed' : '' },
        };
      }}
    />
  );
}
