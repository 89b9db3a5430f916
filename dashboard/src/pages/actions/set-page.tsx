import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type PolicySet, type Severity } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { SelectField, ShareField, Switch, TextField } from '../../parts/field.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure, messageOf } from '../../parts/states.tsx';
import { PolicyChoice } from './policy-choice.tsx';
import { RuleList } from './rule-list.tsx';

/** One set: its policies, which of them are judged by, and when a violation blocks. */
export function ActionSetPage() {
  const { setId } = useParams({ from: '/action-sets/$setId' });
  const set = useQuery({
    queryKey: actionKeys.set(setId),
    queryFn: () => actionGuard.getPolicySet({ params: { policy_set_id: setId } }),
  });
  return <QueryView query={set}>{(data) => <SetView set={data} />}</QueryView>;
}

function SetView({ set }: { set: PolicySet }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const editable = set.created_by !== null;
  const remove = async () => {
    await actionGuard.deletePolicySet({ params: { policy_set_id: set.id } });
    toast.success(`“${set.name}” is deleted.`);
    await navigate({ to: '/action-sets' });
    await queries.invalidateQueries({ queryKey: actionKeys.sets, exact: true });
  };
  return (
    <>
      <PageHead
        above={
          <Link to="/action-sets" className="hover:underline">
            Policy sets
          </Link>
        }
        title={set.name}
        lead={<code className="font-mono text-[13px]">{set.id}</code>}
        actions={
          editable ? (
            <Confirm
              trigger={
                <Button kind="danger">
                  <Trash2 className="size-4" aria-hidden /> Delete
                </Button>
              }
              title={`Delete “${set.name}”?`}
              action="Delete set"
              run={remove}
            >
              Its own policies are deleted with it. Agents that are judged by it get 404.
            </Confirm>
          ) : (
            <Badge tone="accent">Built in, read only</Badge>
          )
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Policies set={set} editable={editable} />
        <Blocking key={set.updated_at} set={set} editable={editable} />
      </div>
    </>
  );
}

function Policies({ set, editable }: { set: PolicySet; editable: boolean }) {
  const queries = useQueryClient();
  const [attaching, setAttaching] = useState(false);
  const params = { policy_set_id: set.id };
  const changed = () => queries.invalidateQueries({ queryKey: actionKeys.sets });
  const toggle = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) =>
      actionGuard.updatePolicySet({ params, body: { policies: { [id]: { enabled } } } }),
    onSuccess: changed,
    onError: (error) => toast.error(messageOf(error)),
  });
  const detach = async (id: string) => {
    await actionGuard.detachPolicy({ params: { ...params, policy_id: id } });
    await changed();
  };
  return (
    <Panel
      title="Policies"
      actions={
        editable && (
          <Button size="small" onClick={() => setAttaching(true)}>
            <Plus className="size-3.5" aria-hidden /> Attach
          </Button>
        )
      }
    >
      {set.policies.length === 0 && (
        <p className="text-sm text-ink-soft">None yet: everything is allowed until a policy is attached.</p>
      )}
      <ul className="grid gap-3">
        {set.policies.map((policy) => (
          <li key={policy.id} className="rounded-lg border border-line p-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Switch
                label={policy.name}
                hint={`${policy.rule_count} rules · ${policy.category}`}
                checked={policy.enabled}
                disabled={!editable}
                onChange={(enabled) => toggle.mutate({ id: policy.id, enabled })}
              />
              {editable && (
                <Confirm
                  trigger={
                    <Button size="small" kind="quiet" aria-label={`Detach ${policy.name}`}>
                      Detach
                    </Button>
                  }
                  title={`Detach “${policy.name}”?`}
                  action="Detach"
                  run={() => detach(policy.id)}
                >
                  Its rules are no longer judged by this set. The policy itself stays.
                </Confirm>
              )}
            </div>
            <details className="mt-3">
              <summary className="cursor-pointer text-[13px] text-ink-soft">Rules of {policy.name}</summary>
              <div className="mt-3">
                <RuleList rules={policy.rules} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {attaching && <Attach set={set} onClose={() => setAttaching(false)} />}
    </Panel>
  );
}

function Attach({ set, onClose }: { set: PolicySet; onClose: () => void }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const attach = useMutation({
    mutationFn: () =>
      actionGuard.attachPolicies({ params: { policy_set_id: set.id }, body: { policy_ids: [...chosen] } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: actionKeys.sets });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Attach policies">
      <div className="grid gap-4">
        {attach.isError && <Failure error={attach.error} />}
        <PolicyChoice chosen={chosen} onChange={setChosen} without={set.policies.map(({ id }) => id)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={chosen.length === 0}
            busy={attach.isPending}
            onClick={() => attach.mutate()}
          >
            Attach {chosen.length > 0 && chosen.length}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const modes = [
  { value: 'severity_level', label: 'Violations at or above a severity' },
  { value: 'strict', label: 'Every violation' },
  { value: 'rule_threshold', label: 'When enough of the rules are violated' },
] as const;
const severities = (['High', 'Medium', 'Low'] as const).map((value) => ({ value, label: value }));

function Blocking({ set, editable }: { set: PolicySet; editable: boolean }) {
  const queries = useQueryClient();
  const { blocking_config: config } = set;
  const [mode, setMode] = useState(config.blocking_mode ?? 'severity_level');
  const [level, setLevel] = useState<Severity>(config.blocking_level ?? 'Medium');
  const [threshold, setThreshold] = useState(config.blocking_threshold ?? 0);
  const [emails, setEmails] = useState(set.notify_emails.join(', '));
  const save = useMutation({
    mutationFn: () =>
      actionGuard.updatePolicySet({
        params: { policy_set_id: set.id },
        body: {
          blocking_config: { blocking_mode: mode, blocking_level: level, blocking_threshold: threshold },
          notify_emails: emails.split(/[\s,;]+/).filter((address) => address !== ''),
        },
      }),
    onSuccess: async () => {
      toast.success('Saved.');
      await queries.invalidateQueries({ queryKey: actionKeys.sets });
    },
  });
  return (
    <Panel
      title="What blocks"
      {...(!editable && { note: 'The built-in set cannot be changed; make one of your own.' })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset disabled={!editable} className="grid gap-4">
          {save.isError && <Failure error={save.error} />}
          <SelectField
            label="Blocks"
            value={mode}
            options={modes}
            onChange={({ target }) => setMode(target.value as typeof mode)}
          />
          {mode === 'severity_level' && (
            <SelectField
              label="From severity"
              value={level}
              options={severities}
              hint="Lower ones are warnings."
              onChange={({ target }) => setLevel(target.value as Severity)}
            />
          )}
          {mode === 'rule_threshold' && (
            <ShareField
              label="Share of rules"
              value={threshold}
              onChange={setThreshold}
              hint="Violated rules over all enabled rules."
            />
          )}
          <TextField
            label="Mail to"
            value={emails}
            onChange={({ target }) => setEmails(target.value)}
            placeholder="security@example.com"
            hint="Who is told of a blocked action; addresses separated by commas."
          />
          {editable && (
            <Button type="submit" kind="primary" busy={save.isPending} className="justify-self-start">
              Save
            </Button>
          )}
        </fieldset>
      </form>
    </Panel>
  );
}
