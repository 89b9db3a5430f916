import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { redactionOperations } from '../../contract/redaction.ts';
import type { Redactor } from './redactor.ts';

export const redactionHandlers = (redactor: Redactor): Handlers<typeof redactionOperations, Caller> => ({
  async redactText({ caller, body: { text, kinds, style } }) {
    const redacted = await redactor(caller.tenantId, text, { kinds, style });
    return { redacted_text: redacted.text, findings: [...redacted.findings] };
  },
});
