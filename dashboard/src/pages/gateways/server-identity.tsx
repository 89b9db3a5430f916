import { useState } from 'react';
import { agentGateway, gatewayKeys, type ServerDetail } from '../../api/agent-gateway.ts';
import { SelectField, Switch, TextField } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';

type Scheme = ServerDetail['identity_scheme'];

/** What each identity scheme sends, in one line. */
const schemes: readonly { value: Scheme; label: string; sends: string }[] = [
  { value: 'none', label: 'Not sent', sends: 'Nothing about the caller is sent.' },
  {
    value: 'headers',
    label: 'Name and e-mail in headers',
    sends:
      'X-Forwarded-User and, where the user has an address, X-Forwarded-Email: for servers that only the gateway reaches.',
  },
  {
    value: 'signed_jwt',
    label: 'A signed token of a minute',
    sends:
      'X-Bulwark-Identity: a JWT for this server alone, checked with the keys at /.well-known/jwks.json.',
  },
  {
    value: 'bearer',
    label: 'The caller’s own token',
    sends:
      'The token that the caller brings, where its audience is this server’s URL; never one for the gateway.',
  },
  {
    value: 'token_exchange',
    label: 'An exchanged token (RFC 8693)',
    sends:
      'A token that your identity provider gives for this user and this server, kept until shortly before its end.',
  },
  {
    value: 'user_oauth',
    label: 'An account of each user',
    sends: 'The token of the user’s own account there: each is asked to sign in once, by their first call.',
  },
];

interface Draft {
  readonly scheme: Scheme;
  readonly signsIn: boolean;
  readonly endpoint: string;
  readonly audience: string;
  readonly clientId: string;
  readonly secret: string;
}

type Fields = { draft: Draft; set: (changes: Partial<Draft>) => void };

const draftOf = ({ identity_scheme, auth_type, token_exchange, oauth_client }: ServerDetail): Draft => ({
  scheme: identity_scheme,
  signsIn: auth_type === 'oauth',
  endpoint: token_exchange?.token_endpoint ?? '',
  audience: token_exchange?.audience ?? '',
  clientId: oauth_client?.client_id ?? '',
  secret: oauth_client?.client_secret ?? '',
});

const isExchange = ({ scheme }: Draft) => scheme === 'token_exchange';

/** Whether the gateway can also sign in itself: a call carries only one token. */
const mayChoose = ({ scheme }: Draft) => scheme === 'none' || scheme === 'headers' || scheme === 'signed_jwt';
const isSignedInAt = (draft: Draft) => draft.scheme === 'user_oauth' || (mayChoose(draft) && draft.signsIn);
const hasClient = (draft: Draft) => isExchange(draft) || isSignedInAt(draft);

const orNull = (text: string) => (text === '' ? null : text);

const exchangeOf = ({ token_exchange }: ServerDetail, { endpoint, audience }: Draft) => ({
  ...token_exchange,
  token_endpoint: endpoint,
  audience: orNull(audience),
});

const clientOf = ({ oauth_client }: ServerDetail, { clientId, secret }: Draft) =>
  clientId === '' ? null : { ...oauth_client, client_id: clientId, client_secret: orNull(secret) };

const changesOf = (server: ServerDetail, draft: Draft) => ({
  identity_scheme: draft.scheme,
  auth_type: isSignedInAt(draft) ? ('oauth' as const) : ('none' as const),
  token_exchange: isExchange(draft) ? exchangeOf(server, draft) : null,
  oauth_client: hasClient(draft) ? clientOf(server, draft) : null,
});

/** How the gateway signs in at the server, and how the server learns the caller's identity. */
export function ServerIdentity({ server, editable }: { server: ServerDetail; editable: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(server));
  const set: Fields['set'] = (changes) => setDraft((before) => ({ ...before, ...changes }));
  const save = () =>
    agentGateway.updateServer({ params: { server_id: server.id }, body: changesOf(server, draft) });
  return (
    <Panel
      title="Who calls"
      note="What the server learns of the user behind a call. The caller’s key or token for the gateway is never passed on."
    >
      <SettingsForm run={save} changes={gatewayKeys.servers} editable={editable}>
        <fieldset disabled={!editable} className="grid min-w-0 gap-4">
          <SelectField
            label="How the caller’s identity is sent"
            value={draft.scheme}
            options={schemes}
            hint={schemes.find(({ value }) => value === draft.scheme)?.sends}
            onChoice={(next) => set({ scheme: next })}
          />
          {mayChoose(draft) && (
            <Switch
              label="The server wants a sign-in"
              hint="One user signs in once, and the gateway uses that account for all calls."
              checked={draft.signsIn}
              onChange={(signsIn) => set({ signsIn })}
            />
          )}
          {isExchange(draft) && <ExchangeFields draft={draft} set={set} />}
          {hasClient(draft) && <ClientFields draft={draft} set={set} />}
        </fieldset>
      </SettingsForm>
    </Panel>
  );
}

const ExchangeFields = ({ draft, set }: Fields) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Token endpoint"
      type="url"
      value={draft.endpoint}
      placeholder="https://login.example.com/token"
      onChange={({ target }) => set({ endpoint: target.value })}
      required
    />
    <TextField
      label="Audience"
      value={draft.audience}
      hint="Where your identity provider wants one."
      onChange={({ target }) => set({ audience: target.value })}
    />
  </div>
);

const ClientFields = ({ draft, set }: Fields) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Client id"
      value={draft.clientId}
      hint={
        isExchange(draft)
          ? 'Of the gateway, at the token endpoint.'
          : 'Empty: the gateway registers itself there.'
      }
      onChange={({ target }) => set({ clientId: target.value })}
      required={isExchange(draft)}
    />
    <TextField
      label="Client secret"
      type="password"
      autoComplete="off"
      value={draft.secret}
      hint="Kept encrypted, and never shown."
      onChange={({ target }) => set({ secret: target.value })}
    />
  </div>
);
