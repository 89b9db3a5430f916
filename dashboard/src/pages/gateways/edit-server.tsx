import { useState } from 'react';
import { agentGateway, gatewayKeys, type ServerDetail } from '../../api/agent-gateway.ts';
import { FormDialog } from '../../parts/form.tsx';
import { bodyOf, draftOf, isComplete } from './server-draft.ts';
import { ServerFields } from './server-fields.tsx';

/** The form that changes a server's name, address, command and environment. */
export function EditServer({ server, onClose }: { server: ServerDetail; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(server));
  return (
    <FormDialog
      title={`Edit ${server.name}`}
      lead="Gateways connect to it anew at once."
      action="Save"
      ready={isComplete(draft)}
      onClose={onClose}
      run={() => agentGateway.updateServer({ params: { server_id: server.id }, body: bodyOf(draft) })}
      changes={gatewayKeys.servers}
    >
      <ServerFields draft={draft} set={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
    </FormDialog>
  );
}
