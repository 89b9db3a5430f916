/** What alert rules can measure, as values: the evaluation, the dashboard and the texts of notices go by them. */

/** What services count: texts by guard, actions by policy set, tool calls by gateway, requests by service. */
export const sources = ['texts', 'actions', 'calls', 'requests'] as const;
export type Source = (typeof sources)[number];

export interface Measure {
  readonly source: Source;
  /** Which of the counted is meant. */
  readonly of: 'stopped' | 'failed';
  /** `share`: of all counted, 0 to 1; `count`: how many. */
  readonly unit: 'share' | 'count';
  readonly label: string;
  /** What a subject is. */
  readonly subject: string;
}

export const measures = {
  flag_rate: {
    source: 'texts',
    of: 'stopped',
    unit: 'share',
    label: 'Share of texts flagged',
    subject: 'guard',
  },
  flagged_texts: { source: 'texts', of: 'stopped', unit: 'count', label: 'Texts flagged', subject: 'guard' },
  degraded_rate: {
    source: 'texts',
    of: 'failed',
    unit: 'share',
    label: 'Share of texts judged while a judge was failing',
    subject: 'guard',
  },
  block_rate: {
    source: 'actions',
    of: 'stopped',
    unit: 'share',
    label: 'Share of actions blocked',
    subject: 'policy set',
  },
  blocked_actions: {
    source: 'actions',
    of: 'stopped',
    unit: 'count',
    label: 'Actions blocked',
    subject: 'policy set',
  },
  refused_calls: {
    source: 'calls',
    of: 'stopped',
    unit: 'count',
    label: 'Tool calls refused',
    subject: 'gateway',
  },
  failed_call_rate: {
    source: 'calls',
    of: 'failed',
    unit: 'share',
    label: 'Share of tool calls that failed',
    subject: 'gateway',
  },
  service_errors: {
    source: 'requests',
    of: 'failed',
    unit: 'count',
    label: 'Requests answered with a server error',
    subject: 'service',
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as [MeasureName, ...MeasureName[]];

const serviceOfSource = {
  texts: 'policy-guard',
  actions: 'action-guard',
  calls: 'agent-gateway',
} as const;

/** The service that has the subjects of a source; requests are counted by all. */
export const serviceWith = (source: Exclude<Source, 'requests'>): string => serviceOfSource[source];

/** The service whose figures a measure is of; null: of all services. */
export function serviceOf(measure: MeasureName, subject: string | null): string | null {
  const { source } = measures[measure];
  // Services count their own requests under the names that they have in metrics.
  return source === 'requests' ? (subject?.replaceAll('_', '-') ?? null) : serviceOfSource[source];
}

/** A value of the measure in words: `12.5 %`, or a number. */
export const valueInWords = (measure: MeasureName, value: number): string =>
  measures[measure].unit === 'share' ? `${Math.round(value * 1000) / 10} %` : String(Math.round(value));
