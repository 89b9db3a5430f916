import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { keys, policyGuard, type OptimizationJob, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { ExamplesField } from './examples-field.tsx';
import { readExamples } from './lab-examples.ts';
import { LabResult } from './lab-result.tsx';

type Tier = OptimizationJob['tier'];

const tiers = [
  { value: 'fast', label: 'Fast: moves the point from which on it flags' },
  { value: 'high', label: 'High: also learns from the examples' },
  { value: 'max', label: 'Max: also looks for better wording' },
] as const;

const askEveryMs = 800;
const isUnderWay = ({ status }: { status: string }) => status === 'queued' || status === 'running';

/** Improves policies with labelled texts, and shows the improvement before anything changes. */
export function Lab({ group }: { group: PolicyGroup }) {
  const [chosen, setChosen] = useState<string>();
  const jobs = useQuery({
    queryKey: keys.optimizations(group.group_uuid),
    queryFn: () => policyGuard.listOptimizationJobs({ params: { group_uuid: group.group_uuid } }),
  });
  if (group.policies.length === 0)
    return <p className="text-sm text-ink-soft">Add a policy first: the lab makes policies better.</p>;
  const shown = chosen ?? jobs.data?.jobs[0]?.job_id;
  return (
    <div className="grid gap-6">
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <NewJob group={group} onStarted={setChosen} />
        <Panel title="Runs" note="Nothing changes until one is applied.">
          <QueryView query={jobs}>
            {({ jobs: all }) =>
              all.length === 0 ? (
                <p className="text-sm text-ink-soft">No runs yet.</p>
              ) : (
                <ul className="grid gap-1">
                  {all.map((job) => (
                    <li key={job.job_id}>
                      <button
                        type="button"
                        aria-pressed={job.job_id === shown}
                        onClick={() => setChosen(job.job_id)}
                        className="flex w-full items-center gap-3 rounded-lg px-3 py-2 text-left text-sm hover:bg-raised aria-pressed:bg-accent-soft"
                      >
                        <span className="font-medium">{job.tier}</span>
                        <span className="text-ink-soft">
                          <Ago at={job.created_at} />
                        </span>
                        <span className="ml-auto">
                          {job.applied_version === null ? (
                            <Badge>{job.status}</Badge>
                          ) : (
                            <Badge tone="good">applied as v{job.applied_version}</Badge>
                          )}
                        </span>
                      </button>
                    </li>
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Panel>
      </div>
      {shown !== undefined && <Job key={shown} group={group} jobId={shown} />}
    </div>
  );
}

function NewJob({ group, onStarted }: { group: PolicyGroup; onStarted: (jobId: string) => void }) {
  const [policy, setPolicy] = useState(group.policies[0]?.name ?? '');
  const [tier, setTier] = useState<Tier>('high');
  const [lines, setLines] = useState('');
  const { examples, problems } = readExamples(
    lines,
    policy,
    group.policies.map(({ name }) => name),
  );
  return (
    <Panel title="Examples" note="Texts of your own traffic, each with what a person says about it.">
      <Form
        action="Run"
        ready={examples.length > 0}
        run={() =>
          policyGuard.optimizePolicyGroup({
            params: { group_uuid: group.group_uuid },
            body: { tier, examples: [...examples] },
          })
        }
        changes={keys.optimizations(group.group_uuid)}
        onDone={({ job_id: jobId }) => onStarted(jobId)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Policy"
            value={policy}
            options={group.policies.map(({ name }) => ({ value: name, label: name }))}
            onChoice={setPolicy}
          />
          <SelectField label="How much to try" value={tier} options={tiers} onChoice={setTier} />
        </div>
        <TakeTestCases
          group={group}
          policyName={policy}
          onLines={(taken) => setLines((before) => [before.trim(), taken].filter(Boolean).join('\n'))}
        />
        <ExamplesField lines={lines} onLines={setLines} examples={examples} problems={problems} />
      </Form>
    </Panel>
  );
}

/** Adds the test cases of the policy to the examples. */
function TakeTestCases({
  group,
  policyName,
  onLines,
}: {
  group: PolicyGroup;
  policyName: string;
  onLines: (lines: string) => void;
}) {
  const policyId = group.policies.find(({ name }) => name === policyName)?._id ?? '';
  const { group_uuid } = group;
  const { data } = useQuery({
    queryKey: keys.testCases(group_uuid, policyId),
    queryFn: () => policyGuard.getTestCases({ params: { group_uuid, policy_id: policyId } }),
  });
  const cases = data?.test_cases ?? [];
  if (cases.length === 0) return null;
  return (
    <Button
      size="small"
      className="justify-self-start"
      onClick={() =>
        onLines(
          cases
            .map(({ text, violates }) => JSON.stringify({ text, policy: policyName, label: violates }))
            .join('\n'),
        )
      }
    >
      Take its {cases.length === 1 ? 'test case' : `${cases.length} test cases`}
    </Button>
  );
}

function Job({ group, jobId }: { group: PolicyGroup; jobId: string }) {
  const queries = useQueryClient();
  const job = useQuery({
    queryKey: keys.optimization(jobId),
    queryFn: async () => {
      const state = await policyGuard.getOptimizationJob({ params: { job_id: jobId } });
      if (!isUnderWay(state))
        await queries.invalidateQueries({ queryKey: keys.optimizations(group.group_uuid) });
      return state;
    },
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? askEveryMs : false),
  });
  const cancel = useMutation({
    mutationFn: () => policyGuard.cancelOptimizationJob({ params: { job_id: jobId } }),
    onSettled: () => job.refetch(),
    onError: (error) => toast.error(messageOf(error)),
  });
  const apply = useMutation({
    mutationFn: () => policyGuard.applyOptimizationJob({ params: { job_id: jobId }, body: {} }),
    onSuccess: async ({ version }) => {
      toast.success(`Applied as version ${version}.`);
      await queries.invalidateQueries({ queryKey: keys.groups });
      await job.refetch();
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <QueryView query={job}>
      {(state) => {
        if (isUnderWay(state))
          return (
            <Panel
              title="Running"
              actions={
                <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
                  Cancel
                </Button>
              }
            >
              <progress
                aria-label="Progress"
                className="h-2 w-full accent-(--accent)"
                value={state.progress.done}
                max={state.progress.total ?? 1}
              />
            </Panel>
          );
        if (state.policies === null)
          return <Failure error={new Error(state.error ?? `The run was ${state.status}.`)} />;
        return (
          <div className="grid gap-6">
            {state.policies.map((policy) => (
              <LabResult key={policy.policy_id} result={policy} />
            ))}
            {state.policies.some(({ improves }) => improves) && (
              <Button
                kind="primary"
                className="justify-self-start"
                busy={apply.isPending}
                onClick={() => apply.mutate()}
              >
                Apply what improves as a new version
              </Button>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}
