import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';

/** Placeholder for secret values in responses; if it is sent back, the stored value is kept. */
export const hiddenValue = '********';

const ClientGrant = z.enum(['authorization_code', 'client_credentials', 'jwt_bearer']);

/** A client that was registered at an authorization server by hand. */
export const OAuthClient = z.object({
  client_id: storedText({ min: 1, max: 2048 }),
  client_secret: storedText({ min: 1, max: 4096 })
    .nullish()
    .meta({
      description: `Stored encrypted; responses show \`${hiddenValue}\`, which keeps the stored value if it is sent back.`,
    }),
  issuer: storedText({ min: 1, max: 2048 })
    .nullish()
    .meta({
      description:
        'The authorization server of this client, if the MCP server names several; required where the gateway signs in ' +
        'itself with a `client_secret`, and for the identity scheme `enterprise_managed`.',
    }),
  grant: ClientGrant.nullish().meta({
    description:
      'How tokens are got; default `authorization_code`: a person consents. With the others the gateway signs in as itself, ' +
      'for all callers: `client_credentials` (with `client_secret` or `private_key`), or `jwt_bearer` (RFC 7523: with ' +
      '`assertion`, else with one that the gateway signs, whose subject is the id of the server and whose keys are at ' +
      '`/.well-known/jwks.json`).',
  }),
  private_key: storedText({ min: 1, max: 16_384 }).nullish().meta({
    description:
      'PKCS #8 as PEM: the client authenticates by a signature (`private_key_jwt`). Stored and shown like `client_secret`.',
  }),
  assertion: storedText({ min: 1, max: 16_384 }).nullish().meta({
    description:
      'A JWT about the workload, for `jwt_bearer`; needs `issuer`. Stored and shown like `client_secret`.',
  }),
});

export const ShownOAuthClient = z.object({
  client_id: z.string(),
  client_secret: z.string().nullable(),
  issuer: z.string().nullable(),
  grant: ClientGrant,
  private_key: z.string().nullable(),
  assertion: z.string().nullable(),
});
