import type { LogEntry } from '../../api/action-guard.ts';
import type { GatewayCall } from '../../api/agent-gateway.ts';
import type { QueryEntry } from '../../api/monitoring.ts';
import type { Detection } from '../../api/shadow-ai.ts';

export type Kind = 'text' | 'action' | 'tool call' | 'AI tool';
export type Verdict = 'let through' | 'stopped' | 'noticed';

type Link =
  | { readonly to: '/activity/texts/$queryId'; readonly params: { queryId: string } }
  | { readonly to: '/activity/actions/$logId'; readonly params: { logId: string } }
  | { readonly to: '/activity/calls/$callId'; readonly params: { callId: string } }
  | { readonly to: '/ai-detections/$eventId'; readonly params: { eventId: string } };

/** Something that a service judged or noticed. */
export interface Entry {
  readonly key: string;
  readonly kind: Kind;
  readonly at: string;
  /** Whether it was let through; `noticed` if it was found but could not or should not be stopped. */
  readonly verdict: Verdict;
  /** The service's word for the verdict. */
  readonly word: string;
  readonly title: string;
  /** Why: policies, rules or the reason. */
  readonly detail: string;
  readonly person: string | null;
  /** The guard, gateway or device. */
  readonly place: string | null;
  readonly link: Link;
}

const verdictOf: Record<QueryEntry['outcome'], Verdict> = {
  flagged: 'stopped',
  observed: 'noticed',
  passed: 'let through',
  allowed: 'let through',
};

export const ofText = (query: QueryEntry): Entry => ({
  key: query.query_id,
  kind: 'text',
  at: query.timestamp,
  verdict: verdictOf[query.outcome],
  word: query.outcome,
  title: query.text ?? `A text of ${query.text_length} characters that was not kept`,
  detail: query.policies.join(', '),
  person: null,
  place: query.guard_name ?? 'unknown guard',
  link: { to: '/activity/texts/$queryId', params: { queryId: query.query_id } },
});

/** The word for what became of an action. */
export function actionWord(
  entry: Pick<LogEntry, 'allowed' | 'held' | 'approved_by' | 'warnings_count'>,
): string {
  if (!entry.allowed) return entry.held ? 'held' : 'blocked';
  if (entry.approved_by.length > 0) return 'approved';
  return entry.warnings_count > 0 ? 'warned' : 'allowed';
}

export const ofAction = (entry: LogEntry): Entry => ({
  key: entry.id,
  kind: 'action',
  at: entry.timestamp,
  verdict: entry.allowed ? (entry.warnings_count > 0 ? 'noticed' : 'let through') : 'stopped',
  word: actionWord(entry),
  title: entry.tool_name ?? 'A reply without a tool',
  detail: entry.rule ?? '',
  person: entry.user_name,
  place: entry.gateway_name ?? entry.policy_name,
  link: { to: '/activity/actions/$logId', params: { logId: entry.id } },
});

/** The word for what became of a call. */
const callWord = ({ outcome, held, allowed }: GatewayCall): string => {
  if (outcome === 'approval_denied') return 'held';
  return held && allowed && outcome === 'ok' ? 'approved' : outcome.replaceAll('_', ' ');
};

export const ofCall = (call: GatewayCall): Entry => ({
  key: call.id,
  kind: 'tool call',
  at: call.timestamp,
  verdict: call.allowed ? 'let through' : 'stopped',
  word: callWord(call),
  title: call.tool_name,
  detail: call.allowed ? '' : call.reason,
  person: call.user_name,
  place: call.gateway_name ?? 'a deleted gateway',
  link: { to: '/activity/calls/$callId', params: { callId: call.id } },
});

/** @param toolName what a rule of the catalogue calls its tool */
export const ofDetection = (detection: Detection, toolName: (ruleId: string) => string): Entry => ({
  key: `detection ${detection.id}`,
  kind: 'AI tool',
  at: detection.started_at ?? detection.created_at ?? '',
  verdict: 'noticed',
  word: 'seen',
  title: toolName(detection.agent_framework),
  detail: detection.activity_tags.join(', '),
  person: detection.account_name,
  place: detection.device_name,
  link: { to: '/ai-detections/$eventId', params: { eventId: String(detection.id) } },
});
