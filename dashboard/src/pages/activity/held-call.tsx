import type { CallDetail } from '../../api/agent-gateway.ts';
import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';

/** Of a call that was held for a person: why, who may decide, and what was decided. */
export function HeldCall({ call }: { call: CallDetail }) {
  const { approval } = call;
  return (
    <Panel title="Held for approval">
      <div className="grid gap-3 text-sm break-words">
        {approval === null ? <AtClient call={call} /> : <Decided approval={approval} />}
      </div>
    </Panel>
  );
}

const AtClient = ({ call: { outcome } }: { call: CallDetail }) => (
  <>
    <p>{outcome === 'approval_denied' ? 'It was not approved.' : 'It was approved.'}</p>
    <p className="text-ink-soft">
      Nobody was asked here: the user decides at the client, or it was decided at the action guard before.
    </p>
  </>
);

const words = {
  approved: 'Approved',
  denied: 'Denied',
  expired: 'Expired: nobody decided in time',
  pending: 'It is not decided yet',
} as const;

const Decided = ({ approval }: { approval: NonNullable<CallDetail['approval']> }) => (
  <>
    <p>
      {approval.note ?? words[approval.status]}
      {approval.decided_by !== null && ` by ${approval.decided_by_name ?? 'an unknown user'}`}
      {approval.decided_at !== null && (
        <>
          , <Ago at={approval.decided_at} />
        </>
      )}
    </p>
    {approval.reasons.length > 0 && (
      <ul className="text-ink-soft">
        {approval.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    )}
    <p className="text-ink-soft">
      {approval.action_approval_id === null
        ? 'The owner of the gateway and administrators may decide. Whoever made the call with a key cannot approve it with that key.'
        : 'A rule says who may decide: it is the same decision here and among the approvals of the action guard.'}
    </p>
  </>
);
