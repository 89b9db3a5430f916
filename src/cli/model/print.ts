import type { Received } from '#base/contract/operation.ts';
import type { scanOperations } from '#services/model-scan/contract/scans.ts';
import { defaultAlgorithm } from '#services/model-scan/contract/names.ts';
import { plain } from '#base/log/plain.ts';

export type Summary = Received<(typeof scanOperations)['getSummary']>;
type Progress = Extract<Received<(typeof scanOperations)['getProgress']>, { scan_id: string }>;

export function printStatuses(scans: readonly Progress[]): void {
  for (const each of scans) {
    const { scan_id: id, status, passed_line: passed, total, percentage, scan_name: name, error } = each;
    console.log(
      `${id}  ${status.padEnd(12)}  ${String(percentage).padStart(5)} %  ${passed}/${total}  ${plain(name)}`,
    );
    if (error !== null) console.log(`  ${plain(error)}`);
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export function printSummary({
  averages,
  averages_attack: attacks,
  risk_level: level,
  ...rest
}: Summary): void {
  const { intervals, risk_reasons: reasons, avg_score: average, coverage } = rest;
  console.log(`Risk ${level}, average score ${average}`);
  for (const reason of reasons) console.log(`  ${reason}`);
  const names = [...Object.keys(averages), ...Object.keys(attacks)];
  const width = Math.max(10, ...names.map(({ length }) => length));
  const failed = (set: string, isAttack: boolean) =>
    coverage
      .filter(({ dataset, algorithm }) => dataset === set && (algorithm !== defaultAlgorithm) === isAttack)
      .reduce((sum, { succeeded }) => sum + succeeded, 0);
  console.log(`\n${'data set'.padEnd(width)}  score  failures  under attack`);
  for (const [name, score] of Object.entries(averages))
    console.log(
      `${name.padEnd(width)}  ${score.toFixed(1).padStart(5)}  ${String(failed(name, false)).padStart(8)}  ${String(failed(name, true)).padStart(12)}`,
    );
  console.log('Scores of data sets, and their average, are without attacks; the risk is with them.');
  console.log(`\n${'algorithm'.padEnd(width)}  score  success rate`);
  for (const [name, score] of Object.entries(attacks)) {
    const share = intervals.attacks[name];
    const rate =
      share === undefined
        ? ''
        : `${percent(share.share)} (${percent(share.interval.low)} to ${percent(share.interval.high)})`;
    console.log(`${name.padEnd(width)}  ${score.toFixed(1).padStart(5)}  ${rate}`);
  }
  console.log(
    `\nHarmless requests refused: ${percent(intervals.over_caution.share)} · not assessed: ${percent(intervals.unassessed.share)}`,
  );
}
