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
    value: 'enterprise_managed',
    label: 'Enterprise-managed authorization',
    sends:
      'A token of the server for this user, got with the ID token that they send: your identity provider decides who uses the server.',
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
  readonly issuer: string;
  readonly provider: string;
  readonly providerClientId: string;
  readonly providerSecret: string;
}

type Fields = { draft: Draft; set: (changes: Partial<Draft>) => void };

const draftOf = (server: ServerDetail): Draft => ({
  scheme: server.identity_scheme,
  signsIn: server.auth_type === 'oauth',
  ...addressesOf(server),
  ...clientsOf(server),
});

const addressesOf = ({ token_exchange, oauth_client, identity_provider }: ServerDetail) => ({
  endpoint: token_exchange?.token_endpoint ?? '',
  audience: token_exchange?.audience ?? '',
  issuer: oauth_client?.issuer ?? '',
  provider: identity_provider?.issuer ?? '',
});

const clientsOf = ({ oauth_client, identity_provider }: ServerDetail) => ({
  clientId: oauth_client?.client_id ?? '',
  secret: oauth_client?.client_secret ?? '',
  providerClientId: identity_provider?.client_id ?? '',
  providerSecret: identity_provider?.client_secret ?? '',
});

const isExchange = ({ scheme }: Draft) => scheme === 'token_exchange';
const isManaged = ({ scheme }: Draft) => scheme === 'enterprise_managed';

/** Whether the gateway can also sign in itself: a call carries only one token. */
const mayChoose = ({ scheme }: Draft) => scheme === 'none' || scheme === 'headers' || scheme === 'signed_jwt';
const isSignedInAt = (draft: Draft) => draft.scheme === 'user_oauth' || (mayChoose(draft) && draft.signsIn);
/** Whether the gateway cannot register itself there. */
const needsClient = (draft: Draft) => isExchange(draft) || isManaged(draft);
const hasClient = (draft: Draft) => needsClient(draft) || isSignedInAt(draft);

const orNull = (text: string) => (text === '' ? null : text);

const exchangeOf = ({ token_exchange }: ServerDetail, { endpoint, audience }: Draft) => ({
  ...token_exchange,
  token_endpoint: endpoint,
  audience: orNull(audience),
});

const clientOf = ({ oauth_client }: ServerDetail, draft: Draft) =>
  draft.clientId === ''
    ? null
    : {
        ...oauth_client,
        client_id: draft.clientId,
        client_secret: orNull(draft.secret),
        ...(isManaged(draft) && { issuer: draft.issuer }),
      };

const providerOf = ({ provider, providerClientId, providerSecret }: Draft) => ({
  issuer: provider,
  client_id: providerClientId,
  client_secret: orNull(providerSecret),
});

const changesOf = (server: ServerDetail, draft: Draft) => ({
  identity_scheme: draft.scheme,
  auth_type: isSignedInAt(draft) ? ('oauth' as const) : ('none' as const),
  token_exchange: isExchange(draft) ? exchangeOf(server, draft) : null,
  identity_provider: isManaged(draft) ? providerOf(draft) : null,
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
          {isManaged(draft) && <ProviderFields draft={draft} set={set} />}
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

const ProviderFields = ({ draft, set }: Fields) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Identity provider"
      type="url"
      value={draft.provider}
      placeholder="https://login.example.com"
      hint="Only ID tokens that it issued are used, and they are sent to nobody else."
      onChange={({ target }) => set({ provider: target.value })}
      required
    />
    <TextField
      label="Client id there"
      value={draft.providerClientId}
      hint="ID tokens must be issued for it."
      onChange={({ target }) => set({ providerClientId: target.value })}
      required
    />
    <TextField
      label="Client secret there"
      type="password"
      autoComplete="off"
      value={draft.providerSecret}
      hint="Kept encrypted, and never shown."
      onChange={({ target }) => set({ providerSecret: target.value })}
    />
    <TextField
      label="The server’s authorization server"
      type="url"
      value={draft.issuer}
      placeholder="https://as.example.com"
      hint="Its issuer: only there is the client below shown."
      onChange={({ target }) => set({ issuer: target.value })}
      required
    />
  </div>
);

const clientHint = (draft: Draft): string => {
  if (isExchange(draft)) return 'Of the gateway, at the token endpoint.';
  if (isManaged(draft)) return 'Of the gateway, at the server’s authorization server.';
  return 'Empty: the gateway registers itself there.';
};

const ClientFields = ({ draft, set }: Fields) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Client id"
      value={draft.clientId}
      hint={clientHint(draft)}
      onChange={({ target }) => set({ clientId: target.value })}
      required={needsClient(draft)}
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
