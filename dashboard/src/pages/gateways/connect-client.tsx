import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { clientSetups, type ClientSetup, type SignIn } from '#services/agent-gateway/contract/clients.ts';
import type { Gateway } from '../../api/agent-gateway.ts';
import { identity } from '../../api/identity.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { UnsavedEdits } from '../../parts/unsaved-edits.tsx';
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

const dayMs = 86_400_000;
const keyDays = 90;

/** Makes the key that the client is to send. */
function MakeKey({ name, onMade }: { name: string; onMade: (key: string) => void }) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      identity.createApiKey({
        body: { name, expires_at: new Date(Date.now() + keyDays * dayMs).toISOString() },
      }),
    onSuccess: async ({ key }) => {
      onMade(key);
      await queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Button size="small" busy={make.isPending} onClick={() => make.mutate()}>
      <KeyRound className="size-3.5" aria-hidden /> Make a key for it
    </Button>
  );
}

/** One client's configuration; the key is in its text, or in a line to run before. */
const Setup = ({
  setup: { name, place, note, text, before },
  hasKey,
  onKeyCopied,
  makeKey,
}: {
  setup: ClientSetup;
  hasKey: boolean;
  onKeyCopied: () => void;
  makeKey: ReactNode;
}) => (
  <>
    <div className="mt-5 mb-2 flex flex-wrap items-center justify-between gap-3">
      <p className="text-[13px] text-ink-soft">
        Goes into {place}.{note !== undefined && ` ${note}`}
        {hasKey && ` The key is shown this once, and ends in ${keyDays} days.`}
      </p>
      <span className="flex gap-2">
        {makeKey}
        <CopyButton
          small
          text={text}
          of={`for ${name}`}
          {...(before === undefined && { onCopied: onKeyCopied })}
        />
      </span>
    </div>
    {before !== undefined && (
      <div className="mb-2 flex items-start gap-2">
        <Raw className="flex-1">{before}</Raw>
        <CopyButton small text={before} of="the key" onCopied={onKeyCopied} />
      </div>
    )}
    <Raw whole>{text}</Raw>
  </>
);

function Configuration({ name, url }: { name: string; url: string }) {
  const [signIn, setSignIn] = useState<SignIn>('key');
  const [chosen, setChosen] = useState('claude-code');
  const [key, setKey] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  const all = clientSetups({ name, mcpUrl: url, signIn, ...(key !== undefined && { key }) });
  const shown = all.find(({ id }) => id === chosen) ?? all[0];
  return (
    <Panel
      title="Your client"
      note={
        signIn === 'key'
          ? 'It sends an API key, which acts as you.'
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
        <Setup
          setup={shown}
          hasKey={key !== undefined}
          onKeyCopied={() => setIsCopied(true)}
          makeKey={
            signIn === 'key' &&
            key === undefined && <MakeKey name={`${shown.name} at ${name}`.slice(0, 255)} onMade={setKey} />
          }
        />
      )}
      <UnsavedEdits isEdited={key !== undefined && !isCopied}>
        The key was not copied, and it cannot be shown again.
      </UnsavedEdits>
    </Panel>
  );
}
