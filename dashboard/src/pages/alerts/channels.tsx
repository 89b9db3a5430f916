import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { alertKeys, type AlertChannel, type AlertsClient } from '../../api/alerts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { AddableList } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Empty, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { ChannelForm } from './channel-form.tsx';

const kinds = { mail: 'Mail', webhook: 'Webhook', slack: 'Slack' } as const;

/** Where alerts are sent, each with a way to try it. */
export function Channels({ alerts }: { alerts: AlertsClient }) {
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const query = useQuery({ queryKey: alertKeys.channels, queryFn: () => alerts.listAlertChannels() });
  const add = (
    <Button kind="primary" onClick={() => setIsAdding(true)}>
      <Plus className="size-4" aria-hidden /> Add a channel
    </Button>
  );
  return (
    <>
      <QueryView query={query}>
        {({ channels }) =>
          channels.length === 0 ? (
            <Empty icon={Send} title="Nobody is told yet" action={add}>
              Alerts are on Home and in the history. Add addresses, a signed webhook or a channel of Slack to
              be told when a rule fires and when it is resolved.
            </Empty>
          ) : (
            <AddableList note="They are told when a rule fires and when it is resolved." action={add}>
              <ul className="grid grid-cols-1 gap-3">
                {channels.map((channel) => (
                  <Channel key={channel.channel_id} alerts={alerts} channel={channel} />
                ))}
              </ul>
            </AddableList>
          )
        }
      </QueryView>
      {isAdding && (
        <ChannelForm
          alerts={alerts}
          mailAvailable={query.data?.mail_available ?? false}
          onClose={() => setIsAdding(false)}
          onAdded={(made) => {
            setIsAdding(false);
            if (made.secret !== null) setSecret(made.secret);
          }}
        />
      )}
      {secret !== undefined && (
        <ShownOnce
          title="The webhook’s secret"
          lead="The receiver checks signatures with it. It is shown this once."
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function Channel({ alerts, channel }: { alerts: AlertsClient; channel: AlertChannel }) {
  const queries = useQueryClient();
  const params = { channel_id: channel.channel_id };
  const test = useMutation({
    mutationFn: () => alerts.testAlertChannel({ params }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: alertKeys.all });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <li className="grid gap-x-4 gap-y-3 rounded-xl border border-line bg-panel p-4 shadow-panel sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{channel.name}</span> <Badge>{kinds[channel.kind]}</Badge>
        </h2>
        <p className="mt-1 text-sm break-all text-ink-soft">{channel.target}</p>
        {channel.problem !== null && <p className="mt-1 text-[13px] text-flag">{channel.problem}</p>}
        {channel.kind !== 'mail' && <Deliveries alerts={alerts} channelId={channel.channel_id} />}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Button
          size="small"
          busy={test.isPending}
          onClick={() => test.mutate()}
          aria-label={`Send a test to ${channel.name}`}
        >
          Send a test
        </Button>
        <DeleteRowButton
          noun="channel"
          word="Remove"
          name={channel.name}
          run={() => alerts.deleteAlertChannel({ params })}
          changes={alertKeys.all}
        >
          Nothing is sent there any more.
        </DeleteRowButton>
      </div>
    </li>
  );
}

const shownDeliveries = 3;

/** The newest messages of a webhook. */
function Deliveries({ alerts, channelId }: { alerts: AlertsClient; channelId: string }) {
  const { data } = useQuery({
    queryKey: alertKeys.deliveries(channelId),
    queryFn: () => alerts.listAlertDeliveries({ params: { channel_id: channelId } }),
    refetchInterval: 5000,
  });
  if (data === undefined || data.deliveries.length === 0) return null;
  return (
    <ul className="mt-2 grid grid-cols-1 gap-1 text-[13px] text-ink-soft">
      {data.deliveries.slice(0, shownDeliveries).map(({ id, at, status, attempts }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <Badge tone={status === 'delivered' ? 'good' : status === 'dead' ? 'flag' : 'plain'}>
            {status === 'dead' ? 'given up' : status}
          </Badge>
          <Ago at={at} />
          <span className="min-w-0 break-words">
            {attempts.map((attempt) => attempt.status ?? attempt.error ?? 'no answer').join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
