import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { measureNames, measures, type MeasureName } from '#alerts/contract/measures.ts';
import { alertKeys, type AlertRule, type AlertsClient } from '../../api/alerts.ts';
import { NameField, SelectField, Switch, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

const windows = [5, 15, 60, 360, 1440].map((minutes) => ({
  value: String(minutes),
  label: minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`,
}));

const measureOptions = measureNames.map((value) => ({ value, label: measures[value].label }));

/** Where a new rule begins. */
const preset: Pick<
  AlertRule,
  'name' | 'measure' | 'subject' | 'window_minutes' | 'threshold' | 'min_count' | 'enabled'
> = {
  name: '',
  measure: 'flag_rate',
  subject: null,
  window_minutes: 15,
  threshold: 0.25,
  min_count: 20,
  enabled: true,
};

/** Shares are entered in per cent. */
const shown = (measure: MeasureName, threshold: number) =>
  String(measures[measure].unit === 'share' ? Math.round(threshold * 10_000) / 100 : threshold);

/** The fields as they are typed. */
interface Draft {
  readonly name: string;
  readonly measure: MeasureName;
  /** Empty: all together. */
  readonly subject: string;
  readonly minutes: string;
  readonly threshold: string;
  readonly minCount: string;
  readonly enabled: boolean;
}

const draftOf = (rule: typeof preset): Draft => ({
  name: rule.name,
  measure: rule.measure,
  subject: rule.subject ?? '',
  minutes: String(rule.window_minutes),
  threshold: shown(rule.measure, rule.threshold),
  minCount: String(rule.min_count),
  enabled: rule.enabled,
});

const bodyOf = ({ name, measure, subject, minutes, threshold, minCount, enabled }: Draft) => ({
  name,
  measure,
  subject: subject === '' ? null : subject,
  window_minutes: Number(minutes),
  threshold: measures[measure].unit === 'share' ? Number(threshold) / 100 : Number(threshold),
  min_count: Number(minCount),
  enabled,
});

/** What another measure cannot keep begins anew. */
function changesOf(from: MeasureName, measure: MeasureName): Partial<Draft> {
  const [before, after] = [measures[from], measures[measure]];
  return {
    measure,
    ...(after.source !== before.source && { subject: '' }),
    ...(after.unit !== before.unit && { threshold: after.unit === 'share' ? '25' : '10' }),
  };
}

/** Creates a rule, or edits the given one. */
export function RuleForm({
  alerts,
  rule,
  onClose,
}: {
  alerts: AlertsClient;
  rule?: AlertRule;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(rule ?? preset));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const { name, measure, minutes, enabled } = draft;
  const save = () =>
    rule === undefined
      ? alerts.createAlertRule({ body: bodyOf(draft) })
      : alerts.replaceAlertRule({ params: { rule_id: rule.rule_id }, body: bodyOf(draft) });
  return (
    <FormDialog
      title={rule === undefined ? 'New rule' : `Edit “${rule.name}”`}
      action={rule === undefined ? 'Add rule' : 'Save'}
      run={save}
      changes={alertKeys.all}
      onClose={onClose}
    >
      <NameField name={name} onName={(typed) => change({ name: typed })} />
      <SelectField
        label="What is measured"
        value={measure}
        options={measureOptions}
        onChoice={(next) => change(changesOf(measure, next))}
      />
      <SubjectField
        alerts={alerts}
        draft={draft}
        nameOfOther={rule?.subject_name ?? undefined}
        onChoice={(subject) => change({ subject })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <ThresholdField draft={draft} onType={(threshold) => change({ threshold })} />
        <SelectField
          label="In the last"
          value={minutes}
          options={
            windows.some(({ value }) => value === minutes)
              ? windows
              : [...windows, { value: minutes, label: `${minutes} minutes` }]
          }
          onChoice={(next) => change({ minutes: next })}
        />
      </div>
      {measures[measure].unit === 'share' && (
        <TextField
          label="Not with fewer than"
          type="number"
          required
          min={1}
          max={1_000_000}
          step={1}
          value={draft.minCount}
          onChange={({ target }) => change({ minCount: target.value })}
          hint="One flagged text of two is 50 %, and says little."
        />
      )}
      <Switch label="Enabled" checked={enabled} onChange={(next) => change({ enabled: next })} />
    </FormDialog>
  );
}

function SubjectField({
  alerts,
  draft: { measure, subject },
  nameOfOther = 'One that was not counted lately',
  onChoice,
}: {
  alerts: AlertsClient;
  draft: Draft;
  /** Of the chosen one, where it is not among those that were counted lately. */
  nameOfOther?: string | undefined;
  onChoice: (subject: string) => void;
}) {
  const subjects = useQuery({ queryKey: alertKeys.subjects, queryFn: () => alerts.listAlertSubjects() });
  const { source, subject: noun } = measures[measure];
  const known = subjects.data?.subjects.filter((each) => each.source === source) ?? [];
  const isKnown = subject === '' || known.some((each) => each.subject === subject);
  return (
    <SelectField
      label={`Of which ${noun}`}
      value={subject}
      options={[
        { value: '', label: 'All together' },
        ...known.map((each) => ({ value: each.subject, label: each.name })),
        ...(isKnown ? [] : [{ value: subject, label: nameOfOther }]),
      ]}
      onChoice={onChoice}
      hint={`Each ${noun} that something was counted of in the last 30 days.`}
    />
  );
}

function ThresholdField({
  draft: { measure, threshold },
  onType,
}: {
  draft: Draft;
  onType: (threshold: string) => void;
}) {
  const isShare = measures[measure].unit === 'share';
  return (
    <TextField
      label={isShare ? 'From (per cent)' : 'From (how many)'}
      type="number"
      required
      min={isShare ? 0.01 : 1}
      max={isShare ? 100 : 1_000_000_000}
      step={isShare ? 0.01 : 1}
      value={threshold}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
