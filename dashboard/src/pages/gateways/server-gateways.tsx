import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway, type ServerDetail } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { labelOf } from './same-name.tsx';
import { decisionCount, useOpenDecisions } from './use-open-decisions.ts';
import { useOwnGateways } from './use-own-gateways.ts';

/** The gateways that offer the server, what waits there for a decision, and attaching it to another one. */
export function ServerGateways({ server }: { server: ServerDetail }) {
  const [attaching, setAttaching] = useState(false);
  const open = useOpenDecisions().filter(({ server_id: id }) => id === server.id);
  const others = useOwnGateways().filter(({ id }) => !server.gateways.some((gateway) => gateway.id === id));
  return (
    <Panel
      title="Gateways"
      actions={
        others.length > 0 && (
          <Button size="small" onClick={() => setAttaching(true)}>
            <Plus className="size-3.5" aria-hidden /> Attach
          </Button>
        )
      }
    >
      {server.gateways.length === 0 && (
        <p className="text-sm text-ink-soft">Not attached to any gateway: no agent can call it.</p>
      )}
      <ul className="grid gap-2 text-sm">
        {server.gateways.map(({ id, name, tool_prefix: prefix }) => {
          const waiting = decisionCount(open.filter(({ gateway_id: gateway }) => gateway === id));
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <Link
                to="/gateways/$gatewayId"
                params={{ gatewayId: id }}
                className="min-w-0 break-words text-accent hover:underline"
              >
                {name}
              </Link>
              <code className="font-mono text-[13px] text-ink-soft">{prefix}</code>
              {waiting > 0 && (
                <Link
                  to="/gateways/$gatewayId"
                  params={{ gatewayId: id }}
                  search={{ tab: 'oversight' }}
                  className="hover:underline"
                >
                  <Badge tone="warn">{waiting} to decide</Badge>
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {attaching && <AttachTo server={server} gateways={others} onClose={() => setAttaching(false)} />}
    </Panel>
  );
}

function AttachTo({
  server,
  gateways,
  onClose,
}: {
  server: ServerDetail;
  gateways: readonly Pick<Gateway, 'id' | 'name' | 'same_name_ids'>[];
  onClose: () => void;
}) {
  const [gatewayId, setGatewayId] = useState(gateways[0]?.id ?? '');
  const [prefix, setPrefix] = useState('');
  return (
    <FormDialog
      title={`Attach ${server.name} to a gateway`}
      action="Attach"
      ready={gatewayId !== ''}
      onClose={onClose}
      run={() =>
        agentGateway.attachServer({
          params: { gateway_id: gatewayId, server_id: server.id },
          body: { tool_prefix: prefix === '' ? null : prefix },
        })
      }
      changes={gatewayKeys.servers}
      onDone={({ scan, message, problem }) => {
        if (scan?.outcome === 'warned' || problem !== undefined) toast.warning(message);
        onClose();
      }}
    >
      <SelectField
        label="Gateway"
        value={gatewayId}
        options={gateways.map((each) => ({ value: each.id, label: labelOf(each) }))}
        onChoice={setGatewayId}
      />
      <TextField
        label="Prefix of its tool names"
        value={prefix}
        placeholder="the server’s name and __"
        onChange={({ target }) => setPrefix(target.value)}
      />
    </FormDialog>
  );
}
