/**
 * Tokens without a person: the gateway signs in as itself, by a secret or a key of its own (client credentials, RFC 6749
 * §4.4, RFC 7523 §2.2) or by an assertion about the workload that it is (RFC 7523 §2.1).
 */
import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
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
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

type Parameters = webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.Algorithm;

function parametersOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): Parameters {
  const namedCurve = curves[details?.namedCurve ?? ''];
  if (type === 'ec' && namedCurve !== undefined) return { name: 'ECDSA', namedCurve };
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (type === 'ed25519') return { name: 'Ed25519' };
  throw new Error('No signature algorithm of JSON Web Tokens uses keys of its kind.');
}

/**
 * A private key for signatures.
 * @param pem PKCS #8, of RSA, of a NIST curve or of Ed25519
 * @throws Error if it is no such key
 */
export function signingKey(pem: string): webcrypto.CryptoKey {
  const key = createPrivateKey(pem);
  return key.toCryptoKey(parametersOf(key), false, ['sign']);
}

const authOf = (server: AuthorizationServer, client: MachineClient): oauth.ClientAuth =>
  client.privateKey === undefined
    ? clientAuthOf(server, client)
    : oauth.PrivateKeyJwt(signingKey(client.privateKey));

/** One request, which is not repeated in another way where it is refused. Throws AppError 502 or 504. */
export async function machineToken(fetch: OAuthFetch, request: MachineTokenRequest): Promise<Tokens> {
  const { server, client, assertion, resource, scope } = request;
  const known = { client_id: client.clientId };
  const parameters = { resource, ...(scope !== '' && { scope }) };
  try {
    const auth = authOf(server, client);
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
