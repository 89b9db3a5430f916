/**
 * Sign-in at the OpenID Connect issuer. All gateways share the one registered redirect URI, so the pending request is
 * stored under the `state` parameter and bound to the browser by a cookie; afterwards the browser returns to its
 * request.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, forbidden, notFound } from '#base/errors.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Federation, FederationTicket } from '#identity/issuer/federation.ts';
import { hashOf } from './adapter.ts';
import { openInteraction, type Interactions, type Shown, type Visit } from './interaction.ts';
import { putRecord, takeRecord } from './store.ts';

export interface FederatedDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly federation: Federation | undefined;
  readonly interactions: Interactions;
}

/** Stored while the user signs in at the issuer. */
interface Away {
  readonly gatewayId: string;
  readonly uid: string;
  readonly ticket: FederationTicket;
  /** SHA-256 of the browser's cookie. */
  readonly browser: string;
  readonly redirectUri: string;
}

/** The signed-in user, and the request that the sign-in belongs to. */
interface Back {
  readonly uid: string;
  readonly userId: string;
  readonly tenantId: string;
}

export const federatedCookie = 'bulwark_gateway_issuer';
const minutes = 10;

export class FederatedSignIn {
  readonly #deps: FederatedDeps;

  constructor(deps: FederatedDeps) {
    this.#deps = deps;
  }

  /** Redirects to the issuer. The cookie is limited to the shared redirect URI. */
  async begin(visit: Visit): Promise<Shown & { cookie: string }> {
    const federation = this.#federation();
    await openInteraction(visit);
    const { gateway, addresses } = visit.server;
    const redirectUri = addresses.federated;
    const { url, ticket } = await federation.begin(redirectUri);
    const secret = randomBytes(24).toString('base64url');
    const state = `${gateway.gatewayId}.${ticket.state}`;
    const browser = hash('sha256', secret, 'base64url');
    const away: Away = { gatewayId: gateway.gatewayId, uid: visit.uid, ticket, browser, redirectUri };
    await this.#put('Away', gateway.gatewayId, state, away);
    const location = new URL(url);
    location.searchParams.set('state', state);
    return { location: location.href, cookie: secret };
  }

  /** @returns the path below the gateway's path at which the user's request continues */
  async comeBack(
    parameters: URLSearchParams,
    cookie: string | undefined,
  ): Promise<{ gatewayId: string; path: string }> {
    const federation = this.#federation();
    const state = parameters.get('state') ?? '';
    const [gatewayId = '', ownState = ''] = state.split('.');
    const away = await this.#take<Away>('Away', gatewayId, state);
    if (away === undefined) throw over();
    const sent = Buffer.from(hash('sha256', cookie ?? '', 'base64url'));
    if (!timingSafeEqual(sent, Buffer.from(away.browser))) throw over();
    const checked = new URLSearchParams(parameters);
    checked.set('state', ownState);
    const person = await federation.finish(checked, away.ticket, away.redirectUri);
    const handle = randomBytes(24).toString('base64url');
    await this.#put('Back', gatewayId, handle, { uid: away.uid, ...person });
    return { gatewayId, path: `/interaction/${away.uid}/signed-in?handle=${handle}` };
  }

  async signedIn(visit: Visit, handle: string): Promise<Shown> {
    const details = await openInteraction(visit);
    const { gatewayId, tenantId } = visit.server.gateway;
    const back = await this.#take<Back>('Back', gatewayId, handle);
    if (back?.uid !== visit.uid) throw over();
    if (back.tenantId !== tenantId)
      throw forbidden('Your account belongs to another tenant, which has no access to this gateway.');
    return this.#deps.interactions.signedIn(visit, details, back.userId);
  }

  #federation(): Federation {
    const { federation } = this.#deps;
    if (federation === undefined) throw notFound('Signing in at an issuer');
    return federation;
  }

  /** Records are looked up by state only, so the state contains the gateway's id. */
  #put(kind: 'Away' | 'Back', gatewayId: string, id: string, value: Away | Back): Promise<void> {
    const { db, clock, vault } = this.#deps;
    return putRecord(db, {
      gatewayId,
      kind,
      idHash: hashOf(id),
      payload: vault.seal(JSON.stringify(value), placeOf(kind, hashOf(id))),
      uidHash: null,
      grantId: null,
      createdAt: new Date(clock.now()),
      expiresAt: new Date(clock.now() + minutes * 60_000),
    });
  }

  async #take<T>(kind: 'Away' | 'Back', gatewayId: string, id: string): Promise<T | undefined> {
    const { db, clock, vault } = this.#deps;
    const sealed = await takeRecord(db, { gatewayId, kind, idHash: hashOf(id) }, new Date(clock.now()));
    const text = sealed && vault.find(sealed, placeOf(kind, hashOf(id)));
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
}

const placeOf = (kind: string, idHash: string) => `gateway_oauth_${kind}:${idHash}`;

/** For which place a record of this kind is sealed; undefined for kinds of others. */
export const placeOfSignIn = (kind: string, idHash: string): string | undefined =>
  kind === 'Away' || kind === 'Back' ? placeOf(kind, idHash) : undefined;

const over = () =>
  new AppError(
    400,
    'no_interaction',
    'This sign-in is over, or was begun in another browser. Connect again from the program that asked.',
  );
