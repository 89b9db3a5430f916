import { accessTokenSeconds } from '../tokens/access-tokens.ts';
import type { TokenPair } from './sign-in.ts';

export const toWire = ({ accessToken, refreshToken }: TokenPair) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'bearer' as const,
  expires_in: accessTokenSeconds,
});
