import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { hiddenValue } from './oauth-client.ts';

export const IdentityScheme = z
  .enum(['none', 'bearer', 'signed_jwt', 'headers', 'token_exchange', 'enterprise_managed', 'user_oauth'])
  .meta({
    description:
      'How the server learns who calls; a caller’s token for the gateway is never forwarded. `none`: not at all. ' +
      '`headers`: `X-Forwarded-User`, and `X-Forwarded-Email` if the user has an address. `signed_jwt`: a JWT valid for ' +
      '60 seconds in `X-Bulwark-Identity`, with the `connection_url` as `aud`; keys at `/.well-known/jwks.json`. ' +
      '`bearer`: the caller’s own token, if its audience is the `connection_url`. `token_exchange`: a token that ' +
      '`token_exchange` gives for the caller (RFC 8693). `enterprise_managed`: a token for which the `identity_provider` ' +
      'vouches for the caller, who sends their ID token. `user_oauth`: each user signs in at the server once, with ' +
      '`auth_type` oauth. For `http` and `sse`; each user gets connections of their own.',
  });

export const TokenExchange = z
  .object({
    token_endpoint: storedText({ min: 1, max: 2048 }),
    audience: storedText({ min: 1, max: 2048 }).nullish(),
    scope: storedText({ min: 1, max: 2048 }).nullish(),
  })
  .meta({
    description:
      'For the identity scheme `token_exchange`, together with an `oauth_client` registered there: the subject token is a ' +
      'JWT like that of `signed_jwt`, with the token endpoint as `aud`.',
  });

export const ShownTokenExchange = z.object({
  token_endpoint: z.string(),
  audience: z.string().nullable(),
  scope: z.string().nullable(),
});

export const IdentityProvider = z
  .object({
    issuer: storedText({ min: 1, max: 2048 }).meta({
      description: 'The only issuer of ID tokens that are used, and the only one to which they are sent.',
    }),
    client_id: storedText({ min: 1, max: 2048 }).meta({
      description: 'The gateway’s client there, which ID tokens must name as their audience.',
    }),
    client_secret: storedText({ min: 1, max: 4096 })
      .nullish()
      .meta({
        description: `Stored encrypted; responses show \`${hiddenValue}\`, which keeps the stored value if it is sent back.`,
      }),
  })
  .meta({
    description:
      'For the identity scheme `enterprise_managed`: it exchanges the caller’s ID token for an identity assertion (ID-JAG), ' +
      'for which the authorization server `oauth_client.issuer` gives a token.',
  });

export const ShownIdentityProvider = z.object({
  issuer: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
});
