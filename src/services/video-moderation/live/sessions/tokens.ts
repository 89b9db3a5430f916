/** Tokens in addresses: those who push or listen cannot always set headers. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long the address of the event socket can be used to connect. */
const eventTokenMs = 3_600_000;

export const newIngestToken = (): string => randomBytes(24).toString('base64url');

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether the token is the one with this hash. */
export const matches = (token: string, hash: Uint8Array | null): boolean =>
  hash !== null && hash.length === 32 && timingSafeEqual(hashOf(token), hash);

/** Signs what must not be made up; the secret is that of all processes. */
export class StreamTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** For the event socket of one session. */
  eventToken(streamId: string, nowMs: number): string {
    const until = String(nowMs + eventTokenMs);
    return `${until}.${this.#sign(`events ${streamId} ${until}`).toString('base64url')}`;
  }

  isEventToken(token: string, streamId: string, nowMs: number): boolean {
    const [until = '', signature = ''] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(`events ${streamId} ${until}`);
    return Number(until) > nowMs && given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** What callbacks of an API key, or of a user without one, are signed with. */
  callbackSecret(tenantId: string, keyOrUserId: string): string {
    return `whsec_${this.#sign(`callback ${tenantId} ${keyOrUserId}`).toString('base64')}`;
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#secret).update('video moderation\0').update(text).digest();
  }
}
