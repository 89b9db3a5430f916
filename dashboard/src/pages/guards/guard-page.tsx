import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { SelectField, Switch, TextArea, TextField } from '../../parts/field.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure } from '../../parts/states.tsx';
import { GroupChoice } from './group-choice.tsx';
import { GroupOverrides } from './group-overrides.tsx';

/** One guard: what it judges by, how it does, and a place to ask it. */
export function GuardPage() {
  const { guardUuid } = useParams({ from: '/guards/$guardUuid' });
  const guard = useQuery({
    queryKey: keys.guard(guardUuid),
    queryFn: () => policyGuard.getGuard({ params: { guard_uuid: guardUuid } }),
  });
  return <QueryView query={guard}>{(data) => <GuardView key={data.version} guard={data} />}</QueryView>;
}

function GuardView({ guard }: { guard: Guard }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { metrics } = guard;
  const remove = async () => {
    await policyGuard.deleteGuard({ params: { guard_uuid: guard.guard_uuid } });
    toast.success(`“${guard.name}” is deleted.`);
    await navigate({ to: '/guards' });
    await queries.invalidateQueries({ queryKey: keys.guards, exact: true });
  };
  return (
    <>
      <PageHead
        above={
          <Link to="/guards" className="hover:underline">
            Guards
          </Link>
        }
        title={
          <span className="flex items-center gap-3">
            {guard.name} {!guard.enabled && <Badge tone="warn">off</Badge>}
          </span>
        }
        lead={<code className="font-mono text-[13px] break-all">{guard.guard_uuid}</code>}
        actions={
          <Confirm
            trigger={
              <Button kind="danger">
                <Trash2 className="size-4" aria-hidden /> Delete
              </Button>
            }
            title={`Delete “${guard.name}”?`}
            action="Delete guard"
            run={remove}
          >
            Applications that ask it get 404 from then on. Its figures go with it.
          </Confirm>
        }
      />
      <p className="mb-6 flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-soft">
        <span>{count(metrics.requests_total)} texts</span>
        <span>{share(metrics.flag_rate)} flagged</span>
        <span>average {milliseconds(metrics.latency_ms_avg)}</span>
        <span>p95 {milliseconds(metrics.latency_ms_p95)}</span>
        <span>{share(metrics.cache_hit_rate)} from the cache</span>
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <GuardForm guard={guard} />
        <AskGuard guard={guard} />
      </div>
    </>
  );
}

const modes = [
  { value: 'enforce', label: 'Enforce' },
  { value: 'observe', label: 'Observe only' },
];
const engines = [
  { value: '', label: 'As the deployment says' },
  { value: 'embedded', label: 'Embedded engine' },
  { value: 'cascade', label: 'Cascade' },
  { value: 'llm', label: 'Language model' },
  { value: 'moderation', label: 'Remote moderation' },
  { value: 'onnx', label: 'Local ONNX model' },
];

function GuardForm({ guard }: { guard: Guard }) {
  const queries = useQueryClient();
  const [name, setName] = useState(guard.name);
  const [groups, setGroups] = useState<readonly string[]>(guard.policy_group_uuids);
  const [overrides, setOverrides] = useState(guard.policy_group_overrides);
  const [enabled, setEnabled] = useState(guard.enabled);
  const [logs, setLogs] = useState(guard.settings.log_requests === true);
  const [caches, setCaches] = useState(guard.settings.cache_enabled !== false);
  const [mode, setMode] = useState(guard.settings.mode);
  const [engine, setEngine] = useState<NonNullable<Guard['settings']['engine']> | ''>(
    guard.settings.engine ?? '',
  );
  const save = useMutation({
    mutationFn: () =>
      policyGuard.updateGuard({
        params: { guard_uuid: guard.guard_uuid },
        body: {
          name,
          policy_group_uuids: [...groups],
          policy_group_overrides: Object.fromEntries(
            Object.entries(overrides).filter(([uuid]) => groups.includes(uuid)),
          ),
          enabled,
          settings: {
            log_requests: logs,
            cache_enabled: caches,
            mode,
            engine: engine === '' ? null : engine,
          },
        },
      }),
    onSuccess: async () => {
      toast.success('Saved.');
      await queries.invalidateQueries({ queryKey: keys.guards });
    },
  });
  return (
    <Panel title="Settings">
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {save.isError && <Failure error={save.error} />}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={255}
        />
        <GroupChoice chosen={groups} onChange={setGroups} />
        <GroupOverrides groupUuids={groups} overrides={overrides} onChange={setOverrides} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Mode"
            value={mode}
            options={modes}
            hint="Observing flags nothing to the caller; the query log has what it found."
            onChange={({ target }) => setMode(target.value as typeof mode)}
          />
          <SelectField
            label="Judged by"
            value={engine}
            options={engines}
            onChange={({ target }) => setEngine(target.value as typeof engine)}
          />
        </div>
        <Switch
          label="Enabled"
          hint="A guard that is off answers 409."
          checked={enabled}
          onChange={setEnabled}
        />
        <Switch
          label="Cache verdicts"
          hint="The same text is judged once."
          checked={caches}
          onChange={setCaches}
        />
        <Switch
          label="Log requests"
          hint="Each evaluation is kept in the query log."
          checked={logs}
          onChange={setLogs}
        />
        <Button type="submit" kind="primary" busy={save.isPending} className="justify-self-start">
          Save
        </Button>
      </form>
    </Panel>
  );
}

function AskGuard({ guard }: { guard: Guard }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const ask = useMutation({
    mutationFn: () => policyGuard.topicGuard({ body: { guard_uuid: guard.guard_uuid, text } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.guards, exact: true }),
  });
  return (
    <Panel title="Ask it" note="As an application does: the call counts in its figures.">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextArea
          label="Text to judge"
          hideLabel
          rows={5}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" kind="primary" busy={ask.isPending} className="justify-self-start">
          Ask
        </Button>
      </form>
      <div className="mt-5 grid gap-5" aria-live="polite">
        {ask.isError && <Failure error={ask.error} />}
        {ask.data !== undefined && (
          <p className="flex items-center gap-2 text-sm">
            {ask.data.flag ? <Badge tone="flag">flagged</Badge> : <Badge tone="good">passes</Badge>}
            <span className="text-ink-soft">in {milliseconds(ask.data.latency_ms)}</span>
          </p>
        )}
        {ask.data?.results.map((group) => (
          <div key={group.policy_group_uuid}>
            <h3 className="text-sm font-medium">{group.policy_group_name}</h3>
            {group.reasoning !== null && (
              <p className="mt-0.5 text-[13px] text-ink-soft">{group.reasoning}</p>
            )}
            <div className="mt-3 grid gap-3">
              {Object.entries(group.probs)
                .toSorted(([, a], [, b]) => b - a)
                .slice(0, 9)
                .map(([policy, probability]) => (
                  <ProbabilityBar
                    key={policy}
                    name={policy}
                    probability={probability}
                    threshold={group.threshold}
                    flagged={group.categories[policy] ?? false}
                  />
                ))}
            </div>
          </div>
        ))}
      </div>
    </Panel>
  );
}
