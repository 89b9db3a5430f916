import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys } from '../../api/agent-gateway.ts';
import { SelectField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { messageOf } from '../../parts/states.tsx';
import { bodyOf, isComplete, newDraft } from './server-draft.ts';
import { ServerFields } from './server-fields.tsx';
import { useOwnGateways } from './use-own-gateways.ts';

/** The form that registers a server and attaches it to a gateway. */
export function NewServer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(newDraft);
  const [visibility, setVisibility] = useState<Visibility>('private');
  const gateways = useOwnGateways();
  const [chosen, setChosen] = useState<string>();
  const gatewayId = chosen ?? (gateways.length === 1 ? (gateways[0]?.id ?? '') : '');
  const create = async () => {
    const server = await agentGateway.createServer({ body: { ...bodyOf(draft), visibility } });
    if (gatewayId !== '')
      // The server is registered by now: its page says what is missing, and offers to attach it again.
      await agentGateway
        .attachServer({ params: { gateway_id: gatewayId, server_id: server.id }, body: {} })
        .catch((error: unknown) => toast.error(`It is not attached: ${messageOf(error)}`));
    return server;
  };
  return (
    <FormDialog
      title="Register an MCP server"
      action="Register"
      ready={isComplete(draft)}
      onClose={onClose}
      run={create}
      changes={gatewayKeys.servers}
      onDone={({ id }) =>
        navigate({ to: '/mcp-servers/$serverId', params: { serverId: id }, search: { shown: 'new' } })
      }
    >
      <ServerFields draft={draft} set={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
      {gateways.length > 0 && (
        <SelectField
          label="Attach it to"
          value={gatewayId}
          options={[
            { value: '', label: 'No gateway yet' },
            ...gateways.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoice={setChosen}
        />
      )}
      <SharingChoice kind="server" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
