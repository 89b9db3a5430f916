import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { NameField, TextField } from '../../parts/field.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SharingChoice } from '../../parts/sharing.tsx';
import { Failure } from '../../parts/states.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { type EvaluationDraft, firstDraft, selectionOf } from './evaluation-draft.ts';
import { FilterLists } from './filter-lists.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { TaskSetChoice } from './task-set-choice.tsx';

const list = { to: '/red-team', name: 'Evaluations' } as const;

/** Builds an evaluation; how many tasks match is counted as filters change. */
export function NewEvaluationPage() {
  const [draft, setDraft] = useState<EvaluationDraft>(firstDraft);
  const change = (part: Partial<EvaluationDraft>) => setDraft((before) => ({ ...before, ...part }));
  const metadata = useQuery({
    queryKey: [...redTeamKey, 'metadata'],
    queryFn: async () => {
      const [summary, { environments }] = await Promise.all([
        redTeam.getMetadataSummary({}),
        redTeam.listEnvironments({}),
      ]);
      return { ...summary, environments };
    },
    staleTime: 60_000,
  });
  const selection = selectionOf(draft);
  const preview = useQuery({
    queryKey: [...redTeamKey, 'preview', selection],
    queryFn: () => redTeam.previewEvaluation({ body: selection }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead
        list={list}
        title="New evaluation"
        lead="Which agent, and which tasks. A filter without a choice takes everything."
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <Panel title="Name and agent">
            <div className="grid gap-4 sm:grid-cols-2">
              <NameField name={draft.name} onName={(name) => change({ name })} />
              <AgentChoice agentId={draft.agentId} onChoice={(agentId) => change({ agentId })} />
            </div>
          </Panel>
          <TaskSetChoice chosen={draft.taskSets} onChange={(taskSets) => change({ taskSets })} />
          <QueryView query={metadata}>
            {(found) => (
              <FilterLists
                metadata={found}
                facets={preview.data?.facets}
                filters={draft.filters}
                onChange={(filters) => change({ filters })}
              />
            )}
          </QueryView>
          <Panel
            title="Sample"
            note="A sample is spread over threat models, domains, categories and vectors."
          >
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="Most tasks"
                inputMode="numeric"
                value={draft.maxTasks}
                hint="Empty: all that match."
                onChange={({ target }) => change({ maxTasks: target.value })}
              />
              <TextField
                label="Seed"
                inputMode="numeric"
                value={draft.seed}
                hint="Equal seeds choose equal tasks."
                onChange={({ target }) => change({ seed: target.value })}
              />
            </div>
          </Panel>
          <SharingChoice
            kind="evaluation"
            value={draft.visibility}
            onChange={(visibility) => change({ visibility })}
          />
        </div>
        {/* Beside the form, or at the bottom of the screen: the button is always in sight. */}
        <div className="sticky z-10 grid gap-4 max-xl:bottom-3 xl:top-6">
          <QueryView query={preview}>
            {(found) => (
              <PreviewPanel preview={found}>
                <CreateButton draft={draft} tasks={found.total_tasks} />
              </PreviewPanel>
            )}
          </QueryView>
        </div>
      </div>
    </>
  );
}

function CreateButton({ draft, tasks }: { draft: EvaluationDraft; tasks: number }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      redTeam.createEvaluation({
        body: {
          name: draft.name.trim(),
          agent_id: draft.agentId,
          visibility: draft.visibility,
          ...selectionOf(draft),
        },
      }),
    onSuccess: async ({ evaluation_id: evaluationId }) => {
      await queries.invalidateQueries({ queryKey: redTeamKey });
      await navigate({ to: '/red-team/evaluations/$evaluationId', params: { evaluationId } });
    },
  });
  const missing =
    draft.name.trim() === ''
      ? 'Give it a name.'
      : draft.agentId === ''
        ? 'Choose an agent.'
        : tasks === 0
          ? 'No task matches.'
          : undefined;
  return (
    <>
      {create.isError && <Failure error={create.error} />}
      <Button
        kind="primary"
        busy={create.isPending}
        disabled={missing !== undefined}
        onClick={() => create.mutate()}
      >
        Create the evaluation
      </Button>
      {missing !== undefined && <p className="text-[13px] text-ink-soft">{missing}</p>}
    </>
  );
}
