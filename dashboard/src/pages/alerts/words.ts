import { measures, valueInWords, type MeasureName } from '#alerts/contract/measures.ts';

interface Condition {
  readonly measure: MeasureName;
  readonly subject: string | null;
  readonly subject_name: string | null;
  readonly window_minutes: number;
  readonly threshold: number;
}

const windowInWords = (minutes: number): string => {
  if (minutes % 60 !== 0) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
};

/** Such as `Share of texts flagged of Support chat: 25 % or more in 15 minutes`. */
export function conditionInWords(rule: Condition): string {
  const of = rule.subject === null ? '' : ` of ${rule.subject_name ?? 'one that is not known any more'}`;
  const limit = valueInWords(rule.measure, rule.threshold);
  return `${measures[rule.measure].label}${of}: ${limit} or more in ${windowInWords(rule.window_minutes)}`;
}
