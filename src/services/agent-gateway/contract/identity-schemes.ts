import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';

export const IdentityScheme = z
  .enum(['none', 'bearer', 'signed_jwt', 'headers', 'token_exchange', 'user_oauth'])
  .meta({
    description:
      'How the server learns who calls; a caller’s token for the gateway is never forwarded. `none`: not at all. ' +
      '`headers`: `X-Forwarded-User`, and `X-Forwarded-Email` if the user has an address. `signed_jwt`: a JWT valid for ' +
      '60 seconds in `X-Bulwark-Identity`, with the `connection_url` as `aud`; keys at `/.well-known/jwks.json`. ' +
      '`bearer`: the caller’s own token, if its audience is the `connection_url`. `token_exchange`: a token that ' +
      '`token_exchange` gives for the caller (RFC 8693). `user_oauth`: each user signs in at the server once, with ' +
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
