import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { agentGateway, gatewayKeys, type AccessControl } from '../../api/agent-gateway.ts';
import { usePeople } from './use-people.ts';

/** A principal that the rules are evaluated for. */
interface Column {
  readonly name: string;
  readonly note: string;
  readonly principal: { user_id?: string; roles?: string[]; client_id?: string };
}

/** A wider table would be unreadable. */
const mostPeople = 12;

/** An ordinary member first, then each user that the current user may see. */
function useColumns(): readonly Column[] {
  const people = usePeople().slice(0, mostPeople);
  return [
    { name: 'Any member', note: 'role member', principal: { roles: ['member'] } },
    ...people.map(({ id, username, roles }) => ({
      name: username,
      note: roles.join(', '),
      principal: { ...(id !== '' && { user_id: id }), roles: [...roles] },
    })),
  ];
}

/**
 * What these rules, saved or not, allow each user to call.
 * @param enabled false for users who may not change the gateway: the server refuses them the preview
 */
export function useAccessPreview(gatewayId: string, control: AccessControl, enabled: boolean) {
  const columns = useColumns();
  const asked = useDeferredValue(control);
  const query = useQuery({
    queryKey: [...gatewayKeys.gateway(gatewayId), 'access', asked, columns],
    queryFn: () =>
      agentGateway.previewAccess({
        params: { gateway_id: gatewayId },
        body: { access_control: asked, principals: columns.map(({ principal }) => principal) },
      }),
    placeholderData: (previous) => previous,
    enabled,
  });
  return { columns, query };
}

export type AccessPreview = ReturnType<typeof useAccessPreview>;
