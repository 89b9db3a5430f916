import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { actionGuard, actionKeys, type LogDetail } from '../../api/action-guard.ts';
import { Facts, Raw } from '../../parts/facts.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ActionDetail } from './action-detail.tsx';
import { ApprovalPanel } from './approval-panel.tsx';
import { ofAction } from './entry.ts';
import { activityList, EventPage, Related, Step } from './event-page.tsx';

/** One judged action. */
export function ActionPage() {
  const { logId } = useParams({ from: '/activity/actions/$logId' });
  const query = useQuery({
    queryKey: actionKeys.log(logId),
    queryFn: () => actionGuard.getLog({ params: { log_id: logId } }),
    staleTime: Infinity,
  });
  return (
    <QueryView query={query} list={activityList}>
      {(entry) => <Action entry={entry} />}
    </QueryView>
  );
}

const names = new Intl.ListFormat('en', { type: 'conjunction' });

function sentenceOf({ allowed, held, approved_by: by, tool_name: tool, rule }: LogDetail): string {
  const what = tool === null ? 'A reply' : `The call of ${tool}`;
  if (allowed) return `${what} was allowed${by.length > 0 ? ` because ${names.format(by)} approved it` : ''}`;
  return `${what} was ${held ? 'held for approval' : 'blocked'}${rule === null ? '' : `: ${rule}`}`;
}

const judgeOf = ({ service_status: status }: LogDetail) =>
  status === 'degraded'
    ? 'the built-in engine alone: the language model did not answer'
    : 'the built-in engine, and the language model where one is set up';

function Action({ entry }: { entry: LogDetail }) {
  const broken = entry.violations[0] ?? entry.warnings[0];
  return (
    <EventPage
      {...ofAction(entry)}
      sentence={sentenceOf(entry)}
      about={
        <>
          {entry.user_name !== null && <span>for {entry.user_name}</span>}
          {entry.gateway_name !== null && <span>at the gateway {entry.gateway_name}</span>}
          <span>policy set {entry.policy_name ?? entry.policy_id}</span>
          <span>{milliseconds(entry.latency_ms)}</span>
        </>
      }
      next={
        <>
          {broken !== undefined && (
            <Step note="Its words, how they were read, and what it would have done last week.">
              <Link
                to="/action-policies/$policyId/rules/$ruleKey"
                params={{ policyId: broken.policy_id, ruleKey: broken.rule_key }}
              >
                Edit the rule
              </Link>
            </Step>
          )}
          <Step note="Change the trace or the policy set and judge it again; trials are not counted.">
            <Link to="/playground" search={{ shown: entry.id }}>
              Open in the playground
            </Link>
          </Step>
          <Step note="What the agent did before and after.">
            <Link to="/actions" search={{ session: entry.session_id, hours: 'all' }}>
              Show the session
            </Link>
          </Step>
        </>
      }
      related={<SameSession entry={entry} />}
    >
      {entry.approval_id !== null && <ApprovalPanel approvalId={entry.approval_id} />}
      <Panel title="Why">
        <div className="grid gap-5">
          {entry.violations.length + entry.warnings.length + entry.approved_by.length === 0 && (
            <p className="text-sm text-ink-soft">No rule of the policy set speaks against it.</p>
          )}
          <ActionDetail entry={entry} />
        </div>
      </Panel>
      <Panel title="What the agent wanted">
        <div className="grid gap-5">
          <Facts
            facts={[
              ['Tool', entry.tool_name ?? '–'],
              ['Server', entry.server_name ?? '–'],
              ['Session', entry.session_id],
              ['Threat', entry.threat_category.replaceAll('_', ' ')],
              ['Judged by', judgeOf(entry)],
            ]}
          />
          <Raw>{JSON.stringify(entry.tool_params, null, 2)}</Raw>
        </div>
      </Panel>
    </EventPage>
  );
}

const mostRelated = 8;

function SameSession({ entry }: { entry: LogDetail }) {
  const { data } = useQuery({
    queryKey: [...actionKeys.logs, 'session', entry.session_id],
    queryFn: () => actionGuard.listLogs({ query: { session_id: entry.session_id, limit: mostRelated } }),
  });
  if (data === undefined) return null;
  return (
    <Related
      title="The same session"
      entries={(data.logs ?? []).filter(({ id }) => id !== entry.id).map(ofAction)}
    />
  );
}
