/** What the action guard and other services on the same database tell each other of held calls. */
import { z } from 'zod';

/** Notification channel: a call that waits was approved or denied, or one of several who must approve has. */
export const approvalsDecided = 'action_guard_approvals_decided';

/**
 * Notification channel: a gateway's call can never be sent again, since its session ended with its process. The payload: the
 * approval and the gateway, with a space between.
 */
export const heldCallsEnded = 'action_guard_held_calls_ended';

const Decided = z.object({
  approval_id: z.string(),
  status: z.enum(['pending', 'approved', 'denied']),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  expires_at: z.string(),
});

export type ApprovalDecided = z.infer<typeof Decided>;

/** Undefined for what another version says otherwise. */
export function readDecided(payload: string): ApprovalDecided | undefined {
  try {
    return Decided.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
