import { useState } from 'react';
import { alertKeys, type AlertChannel, type AlertsClient } from '../../api/alerts.ts';
import { NameField, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { addressesIn } from './target-draft.ts';

type Kind = AlertChannel['kind'];

const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'mail', label: 'Mail' },
  { value: 'webhook', label: 'Signed webhook' },
  { value: 'slack', label: 'Slack (incoming webhook)' },
];

/** Adds a place that alerts are sent to. */
export function ChannelForm({
  alerts,
  mailAvailable,
  onAdded,
  onClose,
}: {
  alerts: AlertsClient;
  mailAvailable: boolean;
  onAdded: (made: Awaited<ReturnType<AlertsClient['createAlertChannel']>>) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>(mailAvailable ? 'mail' : 'webhook');
  const [mailTo, setMailTo] = useState('');
  const [url, setUrl] = useState('');
  return (
    <FormDialog
      title="Add a channel"
      lead="It is told of every rule that fires, and when it is resolved."
      action="Add"
      run={() =>
        alerts.createAlertChannel({
          body:
            kind === 'mail' ? { name, kind, mail_to: addressesIn(mailTo) } : { name, kind, url: url.trim() },
        })
      }
      changes={alertKeys.all}
      onDone={onAdded}
      onClose={onClose}
    >
      <NameField name={name} onName={setName} />
      <SelectField label="Kind" value={kind} options={kinds} onChoice={setKind} />
      {kind === 'mail' ? (
        <TextArea
          label="Mail to"
          rows={3}
          required
          value={mailTo}
          placeholder="security@example.com"
          hint={
            mailAvailable
              ? 'One address per line.'
              : 'No mail server is configured: set smtp.url (BULWARK_SMTP_URL) and restart.'
          }
          onChange={({ target }) => setMailTo(target.value)}
        />
      ) : (
        <TextField
          label="URL"
          type="url"
          required
          value={url}
          placeholder={
            kind === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://hooks.example.com/bulwark'
          }
          hint={
            kind === 'slack'
              ? 'Of an incoming webhook of your Slack app. It is not shown again.'
              : 'Signed as Standard Webhooks; its secret is shown once.'
          }
          onChange={({ target }) => setUrl(target.value)}
        />
      )}
    </FormDialog>
  );
}
