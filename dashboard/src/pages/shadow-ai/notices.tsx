import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { shadowAi, shadowAiKey, type NoticeSettings } from '../../api/shadow-ai.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField, Switch, TextArea, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const settingsKey = [...shadowAiKey, 'notices'];
const deliveriesKey = [...shadowAiKey, 'notice-deliveries'];

type Severity = NonNullable<NoticeSettings['min_severity']>;

const severities: readonly { value: Severity | ''; label: string }[] = [
  { value: '', label: 'None' },
  { value: 'CRITICAL', label: 'Critical' },
  { value: 'HIGH', label: 'High and above' },
  { value: 'MEDIUM', label: 'Medium and above' },
  { value: 'LOW', label: 'Low and above' },
  { value: 'INFORMATIONAL', label: 'All' },
];

/** Who is told of new tools and grave detections. For administrators. */
export function Notices() {
  const query = useQuery({
    queryKey: settingsKey,
    queryFn: () => shadowAi.getNoticeSettings({ query: {} }),
  });
  return (
    <QueryView query={query}>
      {(settings) => (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Settings key={JSON.stringify(settings)} settings={settings} />
          {settings.webhook_url !== null && <Deliveries problem={settings.webhook_problem} />}
        </div>
      )}
    </QueryView>
  );
}

function Settings({ settings }: { settings: NoticeSettings }) {
  const queries = useQueryClient();
  const [newTools, setNewTools] = useState(settings.new_tools);
  const [severity, setSeverity] = useState<Severity | ''>(settings.min_severity ?? '');
  const [mailTo, setMailTo] = useState(settings.mail_to.join('\n'));
  const [webhook, setWebhook] = useState(settings.webhook_url ?? '');
  const [secret, setSecret] = useState<string>();
  const test = useMutation({
    mutationFn: () => shadowAi.testNotices({ query: {} }),
    onSuccess: async ({ sent_to: ways }) => {
      toast.success(`A test is on its way by ${ways.join(' and ')}.`);
      await queries.invalidateQueries({ queryKey: deliveriesKey });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const isSet = settings.mail_to.length > 0 || settings.webhook_url !== null;
  return (
    <Panel title="Who is told" note="Each new tool and grave detection is told once.">
      <Form
        action="Save"
        run={() =>
          shadowAi.putNoticeSettings({
            query: {},
            body: {
              new_tools: newTools,
              min_severity: severity === '' ? null : severity,
              mail_to: mailTo.split(/[\s,;]+/).filter((address) => address !== ''),
              webhook_url: webhook.trim() === '' ? null : webhook.trim(),
            },
          })
        }
        onDone={async ({ webhook_secret: made }) => {
          toast.success('Saved.');
          if (made === null) await queries.invalidateQueries({ queryKey: settingsKey });
          else setSecret(made);
        }}
        beside={
          isSet && (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </Button>
          )
        }
      >
        <Switch label="New tools that are not allowed" checked={newTools} onChange={setNewTools} />
        <SelectField
          label="Every detection of this severity"
          value={severity}
          options={severities}
          onChoice={setSeverity}
        />
        <TextArea
          label="Mail to"
          rows={3}
          value={mailTo}
          placeholder="security@example.com"
          hint={
            settings.mail_available
              ? 'One address per line.'
              : 'No mail server is configured: set smtp.url (BULWARK_SMTP_URL) and restart.'
          }
          onChange={({ target }) => setMailTo(target.value)}
        />
        <TextField
          label="Webhook"
          type="url"
          value={webhook}
          placeholder="https://hooks.example.com/bulwark"
          hint="Signed as Standard Webhooks. A new address has a new secret."
          onChange={({ target }) => setWebhook(target.value)}
        />
      </Form>
      {secret !== undefined && (
        <ShownOnce
          title="The webhook’s secret"
          lead="The receiver checks signatures with it. It is shown this once."
          secret={secret}
          onClose={() => {
            setSecret(undefined);
            void queries.invalidateQueries({ queryKey: settingsKey });
          }}
        />
      )}
    </Panel>
  );
}

function Deliveries({ problem }: { problem: string | null }) {
  const query = useQuery({
    queryKey: deliveriesKey,
    queryFn: () => shadowAi.listNoticeDeliveries({ query: {} }),
    refetchInterval: 5000,
  });
  return (
    <Panel title="Sent by webhook" note={problem ?? undefined}>
      <QueryView query={query}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className="text-sm text-ink-soft">Nothing was sent yet.</p>
          ) : (
            <ul className="grid grid-cols-1 gap-2.5 text-sm">
              {deliveries.map(({ id, at, status, attempts }) => (
                <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                  <Ago at={at} />
                  <Badge tone={status === 'delivered' ? 'good' : status === 'dead' ? 'flag' : 'plain'}>
                    {status === 'dead' ? 'given up' : status}
                  </Badge>
                  <span className="min-w-0 text-[13px] break-words text-ink-soft">
                    {attempts.map((attempt) => attempt.status ?? attempt.error ?? 'no answer').join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
