/** Signing by the Standard Webhooks specification (v1: HMAC-SHA256). */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** 24 to 64 random bytes are a secret; these are 32. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Whether the text is a secret that can sign. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text.slice(prefix.length);
}

interface Signed {
  readonly messageId: string;
  readonly sentAt: Date;
  readonly body: string;
  /** All that the receiver may still check with: while a secret is being replaced there are two. */
  readonly secrets: readonly string[];
}

/** The headers of one attempt; each attempt has a time of its own and hence a signature of its own. */
export function signedHeaders({ messageId, sentAt, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
