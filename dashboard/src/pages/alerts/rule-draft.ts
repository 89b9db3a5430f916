import { measures, type MeasureName } from '#alerts/contract/measures.ts';
import type { Alert, AlertInput } from '../../api/alerts.ts';
import { targetDraftOf, targetOf, type TargetDraft } from './target-draft.ts';

/** Where a new rule begins. */
export const preset: Pick<
  Alert,
  'name' | 'measure' | 'subject' | 'window' | 'condition' | 'enabled' | 'targets'
> = {
  name: '',
  measure: 'flag_rate',
  subject: null,
  window: '15m',
  condition: { operator: '>=', threshold: 0.25, min_count: 20 },
  enabled: true,
  targets: [],
};

/** Shares are entered in per cent. */
const shown = (measure: MeasureName, threshold: number) =>
  String(measures[measure].unit === 'share' ? Math.round(threshold * 10_000) / 100 : threshold);

/** The fields as they are typed. */
export interface Draft {
  readonly name: string;
  readonly measure: MeasureName;
  /** Empty: all together. */
  readonly subject: string;
  /** Such as `15m`. */
  readonly window: string;
  readonly threshold: string;
  readonly minCount: string;
  readonly enabled: boolean;
  /** Undefined: all channels are told. */
  readonly targets: readonly TargetDraft[] | undefined;
}

export const draftOf = (alert: typeof preset): Draft => ({
  name: alert.name,
  measure: alert.measure,
  subject: alert.subject ?? '',
  window: alert.window,
  threshold: shown(alert.measure, alert.condition.threshold),
  minCount: String(alert.condition.min_count),
  enabled: alert.enabled,
  targets: alert.targets.length === 0 ? undefined : alert.targets.map(targetDraftOf),
});

export const bodyOf = (draft: Draft): AlertInput => ({
  name: draft.name,
  measure: draft.measure,
  subject: draft.subject === '' ? null : draft.subject,
  condition: {
    threshold:
      measures[draft.measure].unit === 'share' ? Number(draft.threshold) / 100 : Number(draft.threshold),
    min_count: Number(draft.minCount),
  },
  window: draft.window,
  enabled: draft.enabled,
  targets: (draft.targets ?? []).map(targetOf),
});

/** What another measure cannot keep begins anew. */
export function changesOf(from: MeasureName, measure: MeasureName): Partial<Draft> {
  const [before, after] = [measures[from], measures[measure]];
  return {
    measure,
    ...(after.source !== before.source && { subject: '' }),
    ...(after.unit !== before.unit && { threshold: after.unit === 'share' ? '25' : '10' }),
  };
}
