import type { z } from 'zod';
import type { Rates } from '#services/red-team/contract/rates.ts';
import type { runOperations } from '#services/red-team/contract/runs.ts';
import { plain } from '#base/log/plain.ts';

type RateSet = z.output<typeof Rates>;
type Rate = RateSet['asr'];
type Status = z.output<typeof runOperations.getRunStatus.response>;
type Stats = z.output<typeof runOperations.getRunStats.response>;

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

export const rateText = ({ rate, interval, count, of }: Rate): string =>
  rate === null || interval === null
    ? '–'
    : `${percent(rate).padStart(7)}  ${count} of ${of}  (95 %: ${percent(interval[0])} to ${percent(interval[1])})`;

/** The figures in the order in which they are printed. */
export const rateNames: readonly (readonly [keyof RateSet, string])[] = [
  ['asr', 'attack success'],
  ['asr_delivered', '… of delivered injections'],
  ['utility', 'work done without attack'],
  ['utility_under_attack', 'work done under attack'],
  ['collateral', 'unexplained changes'],
  ['error_rate', 'not assessed'],
];

export function printStatus(status: Status): void {
  const { run_id: runId, total, pending, running, passed, failed, error, cancelled } = status;
  console.log(
    `Run ${runId}: ${status.status}. ${total} tasks: ${passed} passed, ${failed} failed, ${error} errors, ` +
      `${cancelled} cancelled, ${running} running, ${pending} pending.`,
  );
}

const width = 34;

export function printStats(stats: Stats): void {
  console.log(`Run ${stats.run_id}`);
  for (const [key, name] of rateNames) console.log(`  ${name.padEnd(width)}${rateText(stats.total[key])}`);
  for (const [title, parts] of [
    ['Attack success by category', stats.by_risk_category],
    ['Attack success by domain', stats.by_domain],
    ['Attack success by threat model', stats.by_threat_model],
    ['Attack success by vector', stats.by_vector],
  ] as const) {
    const named = Object.entries(parts);
    if (named.length > 0) console.log(title);
    for (const [name, { asr }] of named) console.log(`  ${plain(name).padEnd(width)}${rateText(asr)}`);
  }
}
