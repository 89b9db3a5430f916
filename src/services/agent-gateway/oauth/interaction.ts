/** The user interaction of an authorization request: sign-in and consent. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Client } from 'oidc-provider';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, forbidden } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Identity } from '#identity/identity.ts';
import { placeOf, voucherOf } from './client-metadata.ts';
import { insertConsent } from './consent-store.ts';
import type { Page } from './page-frame.ts';
import { consentPage, signInPage, type ShownClient } from './pages.ts';
import type { ProviderSettings } from './provider.ts';
import { knownScopes, type Scope } from './scopes.ts';
import type { AuthorizationServer } from './servers.ts';

/** A page to show, or a redirect. */
export type Shown = Page | { readonly location: string };

/** A browser's request within one interaction. */
export interface Visit {
  readonly server: AuthorizationServer;
  readonly uid: string;
  /** As passed to the provider: it contains the cookie that binds the interaction to the browser. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly form: URLSearchParams;
  readonly facts: RequestFacts;
}

export interface InteractionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'signIn' | 'person' | 'tenantName' | 'audit' | 'federation'>;
  readonly settings: ProviderSettings;
}

type Details = Awaited<ReturnType<AuthorizationServer['provider']['interactionDetails']>>;

const gone = (cause: unknown) =>
  new AppError(
    400,
    'no_interaction',
    'This request is over, or was begun in another browser. Connect again from the program that asked.',
    { cause },
  );

/** The interaction of this browser. Throws AppError 400 if there is none. */
export async function openInteraction({ server, uid, request, response }: Visit): Promise<Details> {
  const details = await server.provider.interactionDetails(request, response).catch((error: unknown) => {
    throw error instanceof errors.SessionNotFound ? gone(error) : error;
  });
  if (details.uid !== uid) throw gone(undefined);
  return details;
}

const csrfOf = ({ server, uid }: Visit): string =>
  createHmac('sha256', server.keys.cookieKeys[0] ?? '')
    .update(`form:${uid}`)
    .digest('base64url');

function checkForm(visit: Visit): void {
  const sent = Buffer.from(visit.form.get('csrf') ?? '');
  const expected = Buffer.from(csrfOf(visit));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw forbidden('This form is not from the page that was shown. Open the page again.');
}

async function clientOf({ server }: Visit, details: Details): Promise<Client> {
  const client = await server.provider.Client.find(String(details.params['client_id']));
  if (client === undefined) throw gone(undefined);
  return client;
}

const nameOf = (client: Client): string =>
  client.clientName?.trim() || voucherOf(client.clientId) || 'A client without a name';

function shownClient(client: Client, redirectUri: string, { consentDays }: ProviderSettings): ShownClient {
  const { protocol, origin } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return {
    name: nameOf(client),
    voucher: voucherOf(client.clientId),
    redirectPlace: placeOf(redirectUri),
    redirectTarget: isWeb ? origin : protocol,
    onThisMachine: protocol !== 'https:',
    staysForDays: client.grantTypeAllowed('refresh_token') ? consentDays : undefined,
  };
}

export class Interactions {
  readonly #deps: InteractionDeps;

  constructor(deps: InteractionDeps) {
    this.#deps = deps;
  }

  /** Completes the sign-in. The session is limited to this gateway and ends when the browser closes. */
  async signedIn(visit: Visit, details: Details, userId: string): Promise<Shown> {
    const before = details.session?.accountId;
    if (before !== undefined && before !== userId) return beginAnew(visit, details);
    const { gatewayId, tenantId, name } = visit.server.gateway;
    const event = { event: 'gateway_sign_in', tenantId, userId, request: visit.facts };
    const { audit } = this.#deps.identity;
    await audit({ ...event, details: { gateway_id: gatewayId, gateway: name } }, this.#deps.db);
    return finish(visit, { login: { accountId: userId, remember: false } });
  }

  checkForm(visit: Visit): void {
    checkForm(visit);
  }

  async show(visit: Visit): Promise<Shown> {
    const details = await openInteraction(visit);
    if (details.prompt.name === 'consent') return this.#showConsent(visit, details);
    if (details.prompt.reasons.includes('account_gone')) return beginAnew(visit, details);
    return this.#showSignIn(visit, details);
  }

  async signIn(visit: Visit): Promise<Shown> {
    const { identity } = this.#deps;
    const details = await openInteraction(visit);
    checkForm(visit);
    const { form, facts, server } = visit;
    const username = (form.get('username') ?? '').slice(0, 255);
    const password = (form.get('password') ?? '').slice(0, 1024);
    const tenantName = (await identity.tenantName(server.gateway.tenantId)) ?? '';
    try {
      const user = await identity.signIn.check({ username, password, tenantName }, facts);
      return await this.signedIn(visit, details, user.id);
    } catch (error) {
      if (!(error instanceof AppError) || ![401, 429].includes(error.status)) throw error;
      const words = error.status === 401 ? 'The username or the password is wrong.' : error.detail;
      return this.#showSignIn(visit, details, { error: words, status: error.status, username });
    }
  }

  async decide(visit: Visit): Promise<Shown> {
    const details = await openInteraction(visit);
    checkForm(visit);
    const userId = details.session?.accountId;
    if (details.prompt.name !== 'consent' || userId === undefined) throw gone(undefined);
    if (visit.form.get('decision') !== 'allow')
      return finish(visit, { error: 'access_denied', error_description: 'the person refused' });
    const wanted = new Set(visit.form.getAll('scope'));
    const chosen = askedScopes(details).filter((scope) => wanted.has(scope));
    if (chosen.length === 0)
      return this.#showConsent(visit, details, 'Choose what the client may do, or refuse.');
    const grantId = await this.#grant(visit, details, userId, chosen);
    return finish(visit, { consent: { grantId } });
  }

  async switchAccount(visit: Visit): Promise<Shown> {
    const details = await openInteraction(visit);
    checkForm(visit);
    return beginAnew(visit, details);
  }

  async #showSignIn(
    visit: Visit,
    details: Details,
    wrong?: { error: string; status: number; username: string },
  ): Promise<Page> {
    const client = await clientOf(visit, details);
    return signInPage(
      {
        action: actionOf(visit),
        csrf: csrfOf(visit),
        clientName: nameOf(client),
        username: wrong?.username ?? '',
        error: wrong?.error,
        issuerHost: this.#deps.identity.federation?.host,
      },
      wrong?.status,
    );
  }

  async #showConsent(visit: Visit, details: Details, error?: string): Promise<Page> {
    const { identity, settings } = this.#deps;
    const client = await clientOf(visit, details);
    const person = await identity.person(details.session?.accountId ?? '');
    return consentPage(
      {
        action: actionOf(visit),
        csrf: csrfOf(visit),
        client: shownClient(client, String(details.params['redirect_uri']), settings),
        gatewayName: visit.server.gateway.name,
        username: person?.username ?? '',
        scopes: askedScopes(details),
        error,
      },
      error === undefined ? 200 : 422,
    );
  }

  async #grant(visit: Visit, details: Details, userId: string, chosen: Scope[]): Promise<string> {
    const { clock, db, settings, identity } = this.#deps;
    const { provider, addresses, gateway } = visit.server;
    const client = await clientOf(visit, details);
    const made = new provider.Grant({ accountId: userId, clientId: client.clientId });
    made.addOIDCScope(['openid', 'offline_access', ...chosen]);
    for (const resource of [addresses.issuer, `${addresses.issuer}/`])
      made.addResourceScope(resource, chosen);
    const grantId = await made.save();
    const nowMs = clock.now();
    const redirectHost = placeOf(String(details.params['redirect_uri']));
    const { gatewayId, tenantId, name } = gateway;
    const consent = {
      grantId,
      gatewayId,
      userId,
      clientId: client.clientId,
      clientName: nameOf(client),
      redirectHost,
      scopes: chosen,
      createdAt: new Date(nowMs),
      usedAt: new Date(nowMs),
      expiresAt: new Date(nowMs + settings.consentDays * 86_400_000),
    };
    const { clientId, clientName, expiresAt } = consent;
    const changes = changesBetween(undefined, { scopes: chosen, redirectHost, expiresAt });
    const said = { name: clientName, gateway_id: gatewayId, gateway: name, client_id: clientId, changes };
    await db.transaction(async (tx) => {
      await insertConsent(tx, consent);
      const event = 'gateway_client_allowed';
      await identity.audit({ event, tenantId, userId, request: visit.facts, details: said }, tx);
    });
    return grantId;
  }
}

const actionOf = ({ server, uid }: Visit) => `${server.addresses.path}/interaction/${uid}`;

const finish = async (
  { server, request, response }: Visit,
  result: Parameters<AuthorizationServer['provider']['interactionResult']>[2],
): Promise<Shown> => ({
  location: await server.provider.interactionResult(request, response, result, {
    mergeWithLastSubmission: false,
  }),
});

/** Restarts the authorization request without a signed-in user. */
const beginAnew = async ({ server }: Visit, details: Details): Promise<Shown> => {
  const session = details.session && (await server.provider.Session.findByUid(details.session.uid));
  await session?.destroy();
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(details.params))
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each === 'string' && name !== 'prompt') sent.append(name, each);
  return { location: `${server.addresses.issuer}/authorize?${sent.toString()}` };
};

const askedScopes = ({ params: { scope } }: Details): Scope[] =>
  typeof scope === 'string' ? knownScopes(scope) : [];
