import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleStop, GitCompareArrows, Play } from 'lucide-react';
import { toast } from 'sonner';
import { isUnderWay, redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { messageOf } from '../../parts/states.tsx';
import { useMayChange } from '../../session/use-session.ts';

/** What may be done with a run. */
export function RunActions({ run }: { run: Run }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { run_id: run.run_id };
  const work = useMutation({
    mutationFn: (what: 'start' | 'cancel') =>
      what === 'start' ? redTeam.startRun({ params }) : redTeam.cancelRun({ params }),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: redTeamKey }),
  });
  const mayChange = useMayChange(run.owner_id);
  return (
    <>
      {run.status === 'completed' && (
        <Button onClick={() => void navigate({ to: '/red-team/compare', search: { before: run.run_id } })}>
          <GitCompareArrows className="size-4" aria-hidden /> Compare
        </Button>
      )}
      {mayChange && run.status === 'created' && (
        <Button kind="primary" busy={work.isPending} onClick={() => work.mutate('start')}>
          <Play className="size-4" aria-hidden /> Start
        </Button>
      )}
      {mayChange && isUnderWay(run) && (
        <Button busy={work.isPending} onClick={() => work.mutate('cancel')}>
          <CircleStop className="size-4" aria-hidden /> Cancel
        </Button>
      )}
      {mayChange && !isUnderWay(run) && (
        <DeletePageButton
          noun="run"
          name={run.evaluation_name}
          list="/red-team"
          changes={redTeamKey}
          run={() => redTeam.deleteRuns({ body: { run_ids: [run.run_id] } })}
        >
          Its results, trajectories and reports are deleted with it.
        </DeletePageButton>
      )}
    </>
  );
}
