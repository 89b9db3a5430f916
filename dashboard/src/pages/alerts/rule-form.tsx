import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { measureNames, measures } from '#alerts/contract/measures.ts';
import { type Alert, alertKeys, type AlertsClient, frontDoorAlerts } from '../../api/alerts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NameField, SelectField, Switch, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Failure } from '../../parts/states.tsx';
import { bodyOf, changesOf, type Draft, draftOf, preset } from './rule-draft.ts';
import { TargetsField } from './targets-field.tsx';

const windows = [
  { value: '5m', label: '5 minutes' },
  { value: '15m', label: '15 minutes' },
  { value: '1h', label: '1 hour' },
  { value: '6h', label: '6 hours' },
  { value: '1d', label: '24 hours' },
];

const measureOptions = measureNames.map((value) => ({ value, label: measures[value].label }));

/** Creates a rule, or edits the one of this id. */
export function RuleForm({
  alerts,
  ruleId,
  onSaved,
  onClose,
}: {
  alerts: AlertsClient;
  ruleId?: string;
  onSaved: (alert: Alert) => void;
  onClose: () => void;
}) {
  const known = useQuery({
    queryKey: alertKeys.one(ruleId ?? ''),
    queryFn: () => frontDoorAlerts.getAlert({ params: { alert_id: ruleId ?? '' } }),
    enabled: ruleId !== undefined,
    // What is being edited is not replaced below the hands of whoever does.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (known.isError)
    return (
      <Dialog open title="The rule cannot be shown" onClose={onClose}>
        <Failure error={known.error} />
      </Dialog>
    );
  if (ruleId === undefined) return <Fields alerts={alerts} onSaved={onSaved} onClose={onClose} />;
  return (
    known.data !== undefined && (
      <Fields alerts={alerts} alert={known.data} onSaved={onSaved} onClose={onClose} />
    )
  );
}

function Fields({
  alerts,
  alert,
  onSaved,
  onClose,
}: {
  alerts: AlertsClient;
  alert?: Alert;
  onSaved: (alert: Alert) => void;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(alert ?? preset));
  const [isChosen, setIsChosen] = useState(false);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const channels = useQuery({ queryKey: alertKeys.channels, queryFn: () => alerts.listAlertChannels() });
  const { name, measure, window, enabled, targets } = draft;
  const save = () =>
    alert === undefined
      ? frontDoorAlerts.createAlert({ body: bodyOf(draft) })
      : frontDoorAlerts.replaceAlert({ params: { alert_id: alert.alert_id }, body: bodyOf(draft) });
  return (
    <FormDialog
      title={alert === undefined ? 'New rule' : `Edit “${alert.name}”`}
      action={alert === undefined ? 'Add rule' : 'Save'}
      run={save}
      changes={alertKeys.all}
      edited={isChosen}
      onDone={onSaved}
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
        nameOfOther={alert?.subject_name ?? undefined}
        onChoice={(subject) => change({ subject })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <ThresholdField draft={draft} onType={(threshold) => change({ threshold })} />
        <SelectField
          label="In the last"
          value={window}
          options={
            windows.some(({ value }) => value === window)
              ? windows
              : [...windows, { value: window, label: window }]
          }
          onChoice={(next) => change({ window: next })}
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
      <TargetsField
        targets={targets}
        mailAvailable={channels.data?.mail_available ?? false}
        onChange={(next) => {
          setIsChosen(true);
          change({ targets: next });
        }}
      />
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
