import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys } from '../../api/agent-gateway.ts';
import { useAddress } from '../../parts/use-address.ts';

export interface Discovery {
  /** Asks the server for its tools and resources. */
  readonly ask: () => void;
  readonly isPending: boolean;
  /** The server was just registered. */
  readonly isNew: boolean;
  /** Why it could not be asked, with the last words of its process. */
  readonly error: unknown;
}

/** Asking a server what it offers; one that was just registered (`?shown=new`) is asked at once. */
export function useDiscovery(serverId: string): Discovery {
  const queries = useQueryClient();
  const params = { server_id: serverId };
  const [shown, setShown] = useAddress('shown');
  const [isNew] = useState(shown === 'new');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { count } = await agentGateway.discoverTools({ params });
      // Many servers have no resources, and some say so with an error.
      await agentGateway.discoverResources({ params }).catch(() => undefined);
      return count;
    },
    onSuccess: async (count) => {
      toast.success(count === 1 ? '1 tool found.' : `${count} tools found.`);
      await queries.invalidateQueries({ queryKey: gatewayKeys.servers });
    },
  });
  const wasAsked = useRef(false);
  useEffect(() => {
    if (shown !== 'new' || wasAsked.current) return;
    wasAsked.current = true;
    mutate();
    setShown('');
  }, [shown, mutate, setShown]);
  return { ask: mutate, isPending, isNew, error };
}
