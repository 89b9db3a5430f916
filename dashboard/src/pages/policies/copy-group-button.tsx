import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { toast } from 'sonner';
import { keys, policyGuard, type PolicyGroup } from '../../api/policy-guard.ts';
import { Button } from '../../parts/button.tsx';
import { messageOf } from '../../parts/states.tsx';

/** Copies a group to the current user, and opens the copy. */
export function CopyGroupButton({ group, prominent = false }: { group: PolicyGroup; prominent?: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const copy = useMutation({
    mutationFn: () =>
      policyGuard.copyPolicyGroup({ params: { group_uuid: group.group_uuid }, query: { name: group.name } }),
    onSuccess: async ({ group_uuid: groupUuid }) => {
      await queries.invalidateQueries({ queryKey: keys.groups });
      await navigate({ to: '/policies/$groupUuid', params: { groupUuid } });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Button
      size={prominent ? 'normal' : 'small'}
      kind={prominent ? 'primary' : 'plain'}
      busy={copy.isPending}
      onClick={() => copy.mutate()}
      aria-label={`Copy ${group.name}`}
    >
      <Copy className="size-3.5" aria-hidden /> Copy and edit
    </Button>
  );
}
