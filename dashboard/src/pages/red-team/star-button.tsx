import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { toast } from 'sonner';
import { redTeam, redTeamKey, type Result } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { cn } from '../../parts/cn.ts';
import { messageOf } from '../../parts/states.tsx';

/** Stars a result for the report, or takes the star away. */
export function StarButton({
  result,
  withWords = false,
}: {
  result: Pick<Result, 'result_id' | 'included_report' | 'title'>;
  withWords?: boolean;
}) {
  const queries = useQueryClient();
  const star = useMutation({
    mutationFn: (included: boolean) =>
      redTeam.changeResult({
        params: { result_id: result.result_id },
        body: { included_report: included },
      }),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: redTeamKey }),
  });
  const isStarred = star.isPending ? star.variables : result.included_report;
  return (
    <Button
      kind={withWords ? 'plain' : 'quiet'}
      size={withWords ? 'normal' : 'icon'}
      aria-pressed={isStarred}
      {...(!withWords && { 'aria-label': `Star ${result.title}` })}
      onClick={() => star.mutate(!isStarred)}
    >
      <Star className={cn('size-4', isStarred && 'fill-current text-accent')} aria-hidden />
      {withWords && (isStarred ? 'In the report' : 'Star for the report')}
    </Button>
  );
}
