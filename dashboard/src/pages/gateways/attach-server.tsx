import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { bodyOf, isComplete, newDraft } from './server-draft.ts';
import { ServerFields } from './server-fields.tsx';

/** The form that attaches a server to a gateway: a new one, or one that is registered. */
export function AttachServer({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const navigate = useNavigate();
  const servers = useQuery({
    queryKey: gatewayKeys.serverList('all'),
    queryFn: () => agentGateway.listServers({ query: { limit: 1000 } }),
  });
  const offered = servers.data?.items.filter(({ gateway_ids: ids }) => !ids.includes(gateway.id)) ?? [];
  const [chosen, setChosen] = useState('');
  const [draft, setDraft] = useState(newDraft);
  const [prefix, setPrefix] = useState('');
  // A server that could not be attached is registered all the same, and not registered again by the next attempt.
  const [registered, setRegistered] = useState('');
  const attach = async () => {
    const known = chosen || registered;
    const serverId = known || (await agentGateway.createServer({ body: bodyOf(draft) })).id;
    if (known === '') setRegistered(serverId);
    const attached = await agentGateway.attachServer({
      params: { gateway_id: gateway.id, server_id: serverId },
      body: { tool_prefix: prefix === '' ? null : prefix },
    });
    return { serverId, ...attached };
  };
  return (
    <FormDialog
      title="Attach a server"
      action="Attach"
      ready={chosen !== '' || isComplete(draft)}
      onClose={onClose}
      run={attach}
      changes={gatewayKeys.gateway(gateway.id)}
      onDone={async ({ scan, message, problem, serverId }) => {
        if (scan?.outcome === 'warned' || problem !== undefined) toast.warning(message);
        if (chosen !== '') return onClose();
        await navigate({ to: '/mcp-servers/$serverId', params: { serverId }, search: { shown: 'new' } });
      }}
    >
      <SelectField
        label="Server"
        value={chosen}
        options={[
          { value: '', label: 'A new server' },
          ...offered.map(({ id, name, registered_by_name: owner }) => ({
            value: id,
            label: owner === null ? name : `${name} (of ${owner})`,
          })),
        ]}
        onChoice={setChosen}
      />
      {chosen === '' && (
        <ServerFields draft={draft} set={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
      )}
      <TextField
        label="Prefix of its tool names"
        value={prefix}
        placeholder="the server’s name and __"
        onChange={({ target }) => setPrefix(target.value)}
      />
    </FormDialog>
  );
}
