/**
 * Tokens without a person: the gateway signs in as itself, by a secret or a key of its own (client credentials, RFC 6749
 * §4.4, RFC 7523 §2.2) or by an assertion about the workload that it is (RFC 7523 §2.1).
 */
import { createPrivateKey } from 'node:crypto';
import { importPKCS8 } from 'jose';
import * as oauth from 'oauth4webapi';
import type { AuthorizationServer } from 'oauth4webapi';
import { clientAuthOf, requestOptions, tokensOf, type Tokens } from './client.ts';
import { authorizationError } from './errors.ts';
import type { OAuthFetch } from './http.ts';

export interface MachineClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** PKCS #8 as PEM: the client authenticates by a signature, and its secret never leaves. */
  readonly privateKey?: string | undefined;
}

export interface MachineTokenRequest {
  readonly server: AuthorizationServer;
  readonly client: MachineClient;
  /** A JWT about the workload; undefined: client credentials. */
  readonly assertion: string | undefined;
  /** The server that the token is for (RFC 8707). */
  readonly resource: string;
  /** Empty: the authorization server chooses. */
  readonly scope: string;
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * The signature algorithm of a private key.
 * @throws Error if the text is no PKCS #8 key, or one that no such algorithm uses
 */
export function algorithmOf(privateKey: string): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(privateKey);
  if (!privateKey.includes('BEGIN PRIVATE KEY')) throw new Error('It is no PKCS #8 key.');
  const algorithm =
    type === 'ec'
      ? curves[details?.namedCurve ?? '']
      : type === 'rsa'
        ? 'RS256'
        : type === 'ed25519'
          ? 'EdDSA'
          : undefined;
  if (algorithm === undefined) throw new Error('No signature algorithm uses keys of its kind.');
  return algorithm;
}

async function authOf(server: AuthorizationServer, client: MachineClient): Promise<oauth.ClientAuth> {
  const { privateKey } = client;
  if (privateKey === undefined) return clientAuthOf(server, client);
  return oauth.PrivateKeyJwt(await importPKCS8(privateKey, algorithmOf(privateKey)));
}

/** One request, which is not repeated in another way where it is refused. Throws AppError 502 or 504. */
export async function machineToken(fetch: OAuthFetch, request: MachineTokenRequest): Promise<Tokens> {
  const { server, client, assertion, resource, scope } = request;
  const known = { client_id: client.clientId };
  const parameters = { resource, ...(scope !== '' && { scope }) };
  try {
    const auth = await authOf(server, client);
    const response =
      assertion === undefined
        ? await oauth.clientCredentialsGrantRequest(server, known, auth, parameters, requestOptions(fetch))
        : await oauth.genericTokenEndpointRequest(
            server,
            known,
            auth,
            jwtBearer,
            { ...parameters, assertion },
            requestOptions(fetch),
          );
    const answer = await oauth.processGenericTokenEndpointResponse(server, known, response);
    // Other token types, such as DPoP, require a proof that a bearer request does not contain.
    if (answer.token_type !== 'bearer') throw new Error(`its token is of the type ${answer.token_type}`);
    return tokensOf(answer);
  } catch (error) {
    throw authorizationError(`The authorization server ${server.issuer} gave the gateway no token`, error);
  }
}
