import type { ModelScanOptions } from './open.ts';
import type { Summary } from './print.ts';

const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;

/**
 * Prints the scores of two scans beside each other.
 * @returns whether the later one is clearly worse: the intervals of what passed do not overlap
 */
export function compareSummaries(before: Summary, after: Summary, { json }: ModelScanOptions): boolean {
  const rows = [
    ...rowsOf('data set', before.averages, after.averages),
    ...rowsOf('algorithm', before.averages_attack, after.averages_attack),
  ];
  const isWorse = after.intervals.passed.interval.high < before.intervals.passed.interval.low;
  if (json === true) {
    console.log(
      JSON.stringify({ avg_score: [before.avg_score, after.avg_score], worse: isWorse, rows }, null, 2),
    );
    return isWorse;
  }
  if (before.method.seed !== after.method.seed)
    process.stderr.write('bulwark: the scans have different seeds: attacks were tried on other cases.\n');
  const width = Math.max(10, ...rows.map(({ name }) => name.length));
  console.log(`${''.padEnd(width)}  before  after`);
  for (const { name, before: one, after: other } of rows)
    console.log(
      `${name.padEnd(width)}  ${shown(one)}  ${shown(other)}` +
        (one === null || other === null ? '' : `  ${signed(other - one)}`),
    );
  console.log(
    `Average score ${before.avg_score} → ${after.avg_score}, risk ${before.risk_level} → ${after.risk_level}`,
  );
  return isWorse;
}

const shown = (value: number | null) => (value === null ? '–' : value.toFixed(1)).padStart(6);

function rowsOf(kind: string, before: Record<string, number>, after: Record<string, number>) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    kind,
    name,
    before: before[name] ?? null,
    after: after[name] ?? null,
  }));
}
