import type { Summary } from '../../api/model-scan.ts';
import { HeatMap } from '../../parts/heat-map.tsx';

type Cell = Summary['coverage'][number];

/** Failures by data set and attack. */
export function FailureMap({ coverage }: { coverage: readonly Cell[] }) {
  const byPlace = new Map(coverage.map((cell) => [`${cell.dataset}\n${cell.algorithm}`, cell]));
  return (
    <HeatMap
      label="Failures by data set and attack"
      corner="Data set"
      rows={[...new Set(coverage.map(({ dataset }) => dataset))]}
      columns={[...new Set(coverage.map(({ algorithm }) => algorithm))]}
      columnName={(name) => (name === 'Default' ? 'No attack' : name)}
      cellOf={(dataset, algorithm) => {
        const cell = byPlace.get(`${dataset}\n${algorithm}`);
        if (cell === undefined || cell.assessed === 0) return undefined;
        const part = cell.succeeded / cell.assessed;
        return {
          part,
          text: `${Math.round(part * 100)} %`,
          title: `${cell.succeeded} of ${cell.assessed} failed`,
          search: { tab: 'results', outcome: 'failed', dataset, algorithm },
        };
      }}
    />
  );
}
