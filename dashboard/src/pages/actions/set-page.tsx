import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type PolicySet, type Severity } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton, DeleteRowButton } from '../../parts/delete-button.tsx';
import { SelectField, ShareField, Switch, TextField } from '../../parts/field.tsx';
import { FormDialog, SettingsForm } from '../../parts/form.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { PolicyChoice } from './policy-choice.tsx';
import { SetSharing } from './policy-sharing.tsx';
import { RuleList } from './rule-list.tsx';
import { SetPeople } from './set-people.tsx';

const list = { to: '/action-sets', name: 'Policy sets' } as const;

/** One set: its policies, which of them are active, and which severity blocks. */
export function ActionSetPage() {
  const { setId } = useParams({ from: '/action-sets/$setId' });
  const set = useQuery({
    queryKey: actionKeys.set(setId),
    queryFn: () => actionGuard.getPolicySet({ params: { policy_set_id: setId } }),
  });
  return (
    <QueryView query={set} list={list}>
      {(data) => <SetView set={data} />}
    </QueryView>
  );
}

function SetView({ set }: { set: PolicySet }) {
  const builtIn = set.created_by === null;
  const editable = useMayChange(set.created_by);
  return (
    <>
      <PageHead
        list={list}
        title={set.name}
        lead={<code className="font-mono text-[13px]">{set.id}</code>}
        actions={
          editable ? (
            <DeletePageButton
              noun="set"
              name={set.name}
              run={() => actionGuard.deletePolicySet({ params: { policy_set_id: set.id } })}
              list="/action-sets"
              changes={actionKeys.setLists}
            >
              Its policies are deleted too, except those that sets of other users contain. Agents that are
              judged by it get 404.
            </DeletePageButton>
          ) : (
            builtIn && <Badge tone="accent">Built in, read only</Badge>
          )
        }
      />
      <SetSharing set={set} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Policies set={set} editable={editable} />
        <div className="grid gap-6">
          <Blocking
            key={JSON.stringify([set.blocking_config, set.notify_emails])}
            set={set}
            editable={editable}
          />
          {(editable || Object.keys(set.user_roles).length + set.own_domains.length > 0) && (
            <SetPeople
              key={JSON.stringify([set.user_roles, set.own_domains])}
              set={set}
              editable={editable}
            />
          )}
        </div>
      </div>
    </>
  );
}

function Policies({ set, editable }: { set: PolicySet; editable: boolean }) {
  const queries = useQueryClient();
  const [attaching, setAttaching] = useState(false);
  const params = { policy_set_id: set.id };
  const toggle = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) =>
      actionGuard.updatePolicySet({ params, body: { policies: { [id]: { enabled } } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: actionKeys.sets }),
    onError: (error) => toast.error(messageOf(error)),
  });
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
        <p className="text-sm text-ink-soft">No policy yet: everything is allowed until one is attached.</p>
      )}
      <ul className="grid gap-3">
        {set.policies.map((policy) => (
          <li key={policy.id} className="rounded-lg border border-line p-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Switch
                label={policy.name}
                hint={`${policy.rule_count} rules · ${policy.category}${policy.created_by === null || policy.created_by === set.created_by ? '' : ` · of ${policy.created_by_name ?? 'unknown user'}`}`}
                checked={policy.enabled}
                disabled={!editable}
                onChange={(enabled) => toggle.mutate({ id: policy.id, enabled })}
              />
              {editable && (
                <DeleteRowButton
                  word="Detach"
                  noun="policy"
                  name={policy.name}
                  run={() => actionGuard.detachPolicy({ params: { ...params, policy_id: policy.id } })}
                  changes={actionKeys.sets}
                >
                  Its rules are no longer judged by this set. The policy itself stays.
                </DeleteRowButton>
              )}
            </div>
            {policy.readable ? (
              <details className="mt-3">
                <summary className="cursor-pointer text-[13px] text-ink-soft">Rules of {policy.name}</summary>
                <div className="mt-3">
                  <RuleList rules={policy.rules} />
                </div>
              </details>
            ) : (
              <p className="mt-3 text-[13px] text-ink-soft">
                Its rules are enforced. They are not shown, since {policy.created_by_name ?? 'its owner'} does
                not share the policy with you.
              </p>
            )}
          </li>
        ))}
      </ul>
      {attaching && <Attach set={set} onClose={() => setAttaching(false)} />}
    </Panel>
  );
}

function Attach({ set, onClose }: { set: PolicySet; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <FormDialog
      title="Attach policies"
      action={`Attach ${chosen.length === 0 ? '' : chosen.length}`}
      ready={chosen.length > 0}
      onClose={onClose}
      run={() =>
        actionGuard.attachPolicies({ params: { policy_set_id: set.id }, body: { policy_ids: [...chosen] } })
      }
      changes={actionKeys.sets}
    >
      <PolicyChoice chosen={chosen} onChange={setChosen} without={set.policies.map(({ id }) => id)} />
    </FormDialog>
  );
}

const modes = [
  { value: 'severity_level', label: 'Violations at or above a severity' },
  { value: 'strict', label: 'Every violation' },
  { value: 'rule_threshold', label: 'When enough of the rules are violated' },
] as const;
const severities = (['High', 'Medium', 'Low'] as const).map((value) => ({ value, label: value }));

function Blocking({ set, editable }: { set: PolicySet; editable: boolean }) {
  const { blocking_config: config } = set;
  const [mode, setMode] = useState(config.blocking_mode ?? 'severity_level');
  const [level, setLevel] = useState<Severity>(config.blocking_level ?? 'Medium');
  const [threshold, setThreshold] = useState(config.blocking_threshold ?? 0);
  const [emails, setEmails] = useState(set.notify_emails.join(', '));
  const save = () =>
    actionGuard.updatePolicySet({
      params: { policy_set_id: set.id },
      body: {
        blocking_config: { blocking_mode: mode, blocking_level: level, blocking_threshold: threshold },
        notify_emails: emails.split(/[\s,;]+/).filter((address) => address !== ''),
      },
    });
  return (
    <Panel
      title="What blocks"
      {...(set.created_by === null && { note: 'The built-in set cannot be changed; make one of your own.' })}
    >
      <SettingsForm editable={editable} run={save} changes={actionKeys.sets}>
        <fieldset disabled={!editable} className="grid gap-4">
          <SelectField label="Blocks" value={mode} options={modes} onChoice={setMode} />
          {mode === 'severity_level' && (
            <SelectField
              label="From severity"
              value={level}
              options={severities}
              hint="Lower ones are warnings."
              onChoice={setLevel}
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
            hint="Recipients of notifications about blocked actions; comma-separated addresses."
          />
        </fieldset>
      </SettingsForm>
    </Panel>
  );
}
