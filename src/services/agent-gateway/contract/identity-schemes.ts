import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';

export const IdentityScheme = z
  .enum(['none', 'bearer', 'signed_jwt', 'headers', 'token_exchange', 'user_oauth'])
  .meta({
    description:
      'How the server learns who calls; a caller’s token for the gateway is never passed on. `none`: not at all. ' +
      '`headers`: `X-Forwarded-User`, and `X-Forwarded-Email` where the user has an address. `signed_jwt`: a JWT of ' +
      '60 seconds in `X-Bulwark-Identity`, whose `aud` is the `connection_url`; keys at `/.well-known/jwks.json`. ' +
      '`bearer`: the caller’s own token, where its audience is the `connection_url`. `token_exchange`: a token that ' +
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
      'For the identity scheme `token_exchange`, with `oauth_client`, which is known there: the subject token is a ' +
      'JWT like that of `signed_jwt`, whose `aud` is the token endpoint.',
  });

export const ShownTokenExchange = z.object({
  token_endpoint: z.string(),
  audience: z.string().nullable(),
  scope: z.string().nullable(),
});
