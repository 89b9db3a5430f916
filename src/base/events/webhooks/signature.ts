/** Signing by the Standard Webhooks specification (v1: HMAC-SHA256). */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret of 32 random bytes (24 to 64 are allowed). */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Whether the text is a valid signing secret. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text.slice(prefix.length);
}

interface Signed {
  readonly messageId: string;
  readonly sentAt: Date;
  readonly body: string;
  /** All secrets the receiver may verify with: two during a rotation. */
  readonly secrets: readonly string[];
}

/** The headers of one attempt; each attempt has its own timestamp and signature. */
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
