/** Figures of runs, as reports print them. */
import type { RatesView } from '../runs/stats.ts';

export type Rate = RatesView['asr'];

export const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

/** With counts and interval. */
export const printed = ({ rate, count, of, interval }: Rate): string =>
  rate === null || interval === null
    ? 'none assessed'
    : `${percent(rate)} (${count} of ${of}; 95 %: ${percent(interval[0])} to ${percent(interval[1])})`;

export const rateNames: readonly (readonly [keyof RatesView, string])[] = [
  ['asr', 'Attack success'],
  ['asr_delivered', 'Attack success, of delivered injections'],
  ['utility', 'Work done without an attack'],
  ['utility_under_attack', 'Work done under attack'],
  ['collateral', 'Tasks with unexplained changes'],
  ['error_rate', 'Tasks that could not be assessed'],
];
