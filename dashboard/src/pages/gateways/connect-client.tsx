import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { clientSetups, type SignIn } from '#services/agent-gateway/contract/clients.ts';
import type { Gateway } from '../../api/agent-gateway.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useGatewayStatus } from './gateway-status-badge.tsx';

/** The endpoint, and the configuration to paste into each client. */
export function ConnectClient({ gateway }: { gateway: Gateway }) {
  const status = useGatewayStatus(gateway.id);
  return (
    <QueryView query={status}>
      {({ mcp_url: url, status: state }) => (
        <div className="grid max-w-4xl gap-6">
          <Panel
            title="Endpoint"
            note={
              <>
                Agents send an{' '}
                <Link to="/api-keys" className="text-accent underline">
                  API key
                </Link>{' '}
                with each request, as X-API-Key or as a bearer token.
                {state === 'stopped' && ' The gateway is stopped: start it first.'}
              </>
            }
            actions={<CopyButton small text={url} of="the endpoint" />}
          >
            <code className="font-mono text-sm break-all">{url}</code>
          </Panel>
          <Configuration name={gateway.name} url={url} />
        </div>
      )}
    </QueryView>
  );
}

const ways: { value: SignIn; label: string }[] = [
  { value: 'key', label: 'An API key' },
  { value: 'user', label: 'Its user, in a browser' },
];

function Configuration({ name, url }: { name: string; url: string }) {
  const [signIn, setSignIn] = useState<SignIn>('key');
  const [chosen, setChosen] = useState('claude-code');
  const all = clientSetups({ name, mcpUrl: url, signIn });
  const shown = all.find(({ id }) => id === chosen) ?? all[0];
  return (
    <Panel
      title="Your client"
      note={
        signIn === 'key'
          ? 'Put the key where the placeholder stands, or into the variable.'
          : 'The client registers itself; its user signs in here and says what it may do.'
      }
    >
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <SelectField label="Signs in by" value={signIn} options={ways} onChoice={setSignIn} />
        <SelectField
          label="Client"
          value={shown?.id ?? ''}
          options={all.map(({ id, name: label }) => ({ value: id, label }))}
          onChoice={setChosen}
        />
      </div>
      {shown !== undefined && (
        <>
          <div className="mt-5 mb-2 flex items-center justify-between gap-3">
            <p className="text-[13px] text-ink-soft">
              Goes into {shown.place}.{shown.note === undefined ? '' : ` ${shown.note}`}
            </p>
            <CopyButton small text={shown.text} of={`for ${shown.name}`} />
          </div>
          <Raw className="max-h-none">{shown.text}</Raw>
        </>
      )}
    </Panel>
  );
}
