import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { measures, valueInWords } from '#alerts/contract/measures.ts';
import { type Alert, alertKeys, type AlertRule, type AlertsClient } from '../../api/alerts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { AddableList } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Empty, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { RuleForm } from './rule-form.tsx';
import { conditionInWords } from './words.ts';

const refetchInterval = 15_000;
const muteMinutes = 60;

interface NewSecret {
  readonly url: string;
  readonly secret: string;
}

const newSecrets = (targets: Alert['targets']): NewSecret[] =>
  targets.flatMap(({ secret, url }) => (secret === undefined ? [] : [{ secret, url: url ?? '' }]));

/** The rules of the tenant with their state, those that fire first. */
export function Rules({ alerts }: { alerts: AlertsClient }) {
  const [editing, setEditing] = useState<AlertRule | 'new'>();
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  const [made, ...others] = secrets;
  const query = useQuery({
    queryKey: alertKeys.rules,
    queryFn: () => alerts.listAlertRules(),
    refetchInterval,
  });
  const add = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      <Plus className="size-4" aria-hidden /> New rule
    </Button>
  );
  return (
    <>
      <QueryView query={query}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Empty icon={BellRing} title="No rules yet" action={add}>
              A rule watches a count or a share, such as the texts that a guard flags, and tells you when it
              is too high.
            </Empty>
          ) : (
            <AddableList
              note="Each watches a count or a share, and tells you when it is too high."
              action={add}
            >
              <ul className="grid grid-cols-1 gap-3">
                {rules
                  .toSorted((a, b) => Number(b.state === 'firing') - Number(a.state === 'firing'))
                  .map((rule) => (
                    <Rule key={rule.rule_id} alerts={alerts} rule={rule} onEdit={() => setEditing(rule)} />
                  ))}
              </ul>
            </AddableList>
          )
        }
      </QueryView>
      {editing !== undefined && (
        <RuleForm
          alerts={alerts}
          {...(editing !== 'new' && { ruleId: editing.rule_id })}
          onClose={() => setEditing(undefined)}
          onSaved={({ targets }) => {
            setEditing(undefined);
            setSecrets(newSecrets(targets));
          }}
        />
      )}
      {made !== undefined && (
        <ShownOnce
          key={made.secret}
          title="The webhook’s secret"
          lead={`The receiver at ${made.url} checks signatures with it. It is shown this once.`}
          secret={made.secret}
          onClose={() => setSecrets(others)}
        />
      )}
    </>
  );
}

const states = {
  firing: { word: 'firing', tone: 'flag' },
  ok: { word: 'ok', tone: 'good' },
  waiting: { word: 'not evaluated yet', tone: 'plain' },
  off: { word: 'off', tone: 'plain' },
} as const;

const isMuted = ({ muted_until: until }: AlertRule) => until !== null && until > new Date().toISOString();

function Rule({ alerts, rule, onEdit }: { alerts: AlertsClient; rule: AlertRule; onEdit: () => void }) {
  const queries = useQueryClient();
  const muted = isMuted(rule);
  const mute = useMutation({
    mutationFn: () =>
      alerts.muteAlertRule({
        params: { rule_id: rule.rule_id },
        body: { minutes: muted ? null : muteMinutes },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: alertKeys.all }),
    onError: (error) => toast.error(messageOf(error)),
  });
  const { word, tone } = states[rule.state];
  return (
    <li className="grid gap-x-4 gap-y-3 rounded-xl border border-line bg-panel p-4 shadow-panel sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{rule.name}</span>
          <Badge tone={tone}>{word}</Badge>
          {muted && <Badge tone="warn">muted</Badge>}
        </h2>
        <p className="mt-1 text-sm text-ink-soft">{conditionInWords(rule)}</p>
        <p className="mt-1 text-[13px] text-ink-soft">
          <Now rule={rule} />
        </p>
        {rule.target_count > 0 && (
          <p className="mt-1 text-[13px] text-ink-soft">
            It tells {rule.target_count === 1 ? 'a target' : `${rule.target_count} targets`} of its own, not
            the channels.
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        {rule.state !== 'off' && (
          <Button size="small" kind="quiet" busy={mute.isPending} onClick={() => mute.mutate()}>
            {muted ? 'End the mute' : 'Mute for an hour'}
          </Button>
        )}
        <Button size="small" onClick={onEdit} aria-label={`Edit ${rule.name}`}>
          Edit
        </Button>
        <DeleteRowButton
          noun="rule"
          name={rule.name}
          run={() => alerts.deleteAlertRule({ params: { rule_id: rule.rule_id } })}
          changes={alertKeys.all}
        >
          Nobody is told by it any more; the history stays.
        </DeleteRowButton>
      </div>
    </li>
  );
}

/** The value when it was evaluated last. */
function Now({ rule }: { rule: AlertRule }) {
  if (rule.evaluated_at === null)
    return rule.state === 'off' ? 'It is not evaluated.' : 'It is evaluated within half a minute.';
  const counted = measures[rule.measure].unit === 'share' && `, of ${rule.counted} counted`;
  return (
    <>
      {rule.value === null ? 'Nothing was counted' : `Now ${valueInWords(rule.measure, rule.value)}`}
      {rule.value !== null && counted}
      {rule.firing_since !== null && (
        <>
          , firing since <Ago at={rule.firing_since} />
        </>
      )}
    </>
  );
}
