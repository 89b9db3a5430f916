import { Plus, Trash2 } from 'lucide-react';
import { maxTargets } from '#alerts/contract/front-door.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { newTarget, type TargetDraft, type TargetKind } from './target-draft.ts';

const kinds: readonly { value: TargetKind; label: string }[] = [
  { value: 'mail', label: 'Mail' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
];

const whom = [
  { value: 'channels', label: 'All channels of the tenant' },
  { value: 'own', label: 'Only those named here' },
] as const;

type Change = (targets: readonly TargetDraft[] | undefined) => void;

/** Whom an alert tells: all channels, or its own targets in their place. */
export function TargetsField({
  targets,
  mailAvailable,
  onChange,
}: {
  /** Undefined: all channels. */
  targets: readonly TargetDraft[] | undefined;
  mailAvailable: boolean;
  onChange: Change;
}) {
  const firstKind = mailAvailable ? 'mail' : 'webhook';
  return (
    <>
      <SelectField
        label="Whom it tells"
        value={targets === undefined ? 'channels' : 'own'}
        options={whom}
        onChoice={(choice) => onChange(choice === 'own' ? [newTarget(firstKind)] : undefined)}
      />
      {targets !== undefined && (
        <fieldset className="min-w-0 rounded-lg border border-line p-3">
          <legend className="px-1 text-[13px] font-medium">Told in place of the channels</legend>
          <ol className="grid grid-cols-1 gap-3">
            {targets.map((target, i) => (
              <Row
                key={target.key}
                target={target}
                place={i + 1}
                mailAvailable={mailAvailable}
                onChange={(next) => onChange(targets.map((each) => (each.key === target.key ? next : each)))}
                {...(targets.length > 1 && {
                  onRemove: () => onChange(targets.filter(({ key }) => key !== target.key)),
                })}
              />
            ))}
          </ol>
          {targets.length < maxTargets && (
            <Button
              size="small"
              className="mt-3"
              onClick={() => onChange([...targets, newTarget(firstKind)])}
            >
              <Plus className="size-3.5" aria-hidden /> Add another
            </Button>
          )}
        </fieldset>
      )}
    </>
  );
}

const addressFields = {
  mail: { label: 'Addresses', type: 'text', placeholder: 'security@example.com, it@example.com' },
  webhook: { label: 'URL', type: 'url', placeholder: 'https://hooks.example.com/bulwark' },
  slack: { label: 'URL', type: 'url', placeholder: 'https://hooks.slack.com/services/…' },
} as const;

/** What somebody has to know about a kind before it is saved. */
function hintOf({ kind, targetId }: TargetDraft, mailAvailable: boolean): string | undefined {
  if (kind === 'mail')
    return mailAvailable
      ? undefined
      : 'No mail server is configured: set smtp.url (BULWARK_SMTP_URL) and restart.';
  if (targetId === undefined)
    return kind === 'webhook' ? 'Its secret is shown once, after saving.' : 'It is not shown again.';
  return kind === 'slack' ? 'Empty: it stays as it is.' : undefined;
}

function Row({
  target,
  place,
  mailAvailable,
  onChange,
  onRemove,
}: {
  target: TargetDraft;
  place: number;
  mailAvailable: boolean;
  onChange: (target: TargetDraft) => void;
  onRemove?: () => void;
}) {
  const { kind, address, targetId, key } = target;
  const { label, ...field } = addressFields[kind];
  return (
    <li className="grid grid-cols-1 items-start gap-2 sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <SelectField
        hideLabel
        label={`Kind of target ${place}`}
        value={kind}
        options={kinds}
        // One that is sent elsewhere is another one, with another secret.
        onChoice={(next) => onChange({ key, kind: next, address: '' })}
      />
      <TextField
        hideLabel
        label={`${label} of target ${place}`}
        value={address}
        required={kind !== 'slack' || targetId === undefined}
        hint={hintOf(target, mailAvailable)}
        onChange={({ target: { value } }) => onChange({ ...target, address: value })}
        {...field}
      />
      {onRemove !== undefined && (
        <Button kind="quiet" size="icon" aria-label={`Remove target ${place}`} onClick={onRemove}>
          <Trash2 className="size-4" aria-hidden />
        </Button>
      )}
    </li>
  );
}
