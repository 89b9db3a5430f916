import { createHmac, hash } from 'node:crypto';
import { redact, type Redacted, type RedactOptions } from '#engine/redact/redact.ts';

export type Redactor = ReturnType<typeof createRedactor>;

/** Redaction whose hashes are a tenant's own: equal values have equal names in it, and in no other. */
export function createRedactor(secret: string) {
  return (tenantId: string, text: string, options: RedactOptions): Promise<Redacted> => {
    const key = hash('sha256', `redaction\0${secret}\0${tenantId}`);
    return redact(text, options, (value) =>
      createHmac('sha256', key).update(value).digest('hex').slice(0, 12),
    );
  };
}
