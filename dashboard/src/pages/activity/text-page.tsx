import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { monitoring, textKey, type QueryDetail } from '../../api/monitoring.ts';
import { Facts } from '../../parts/facts.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useGuardNames } from '../monitoring/use-guard-names.ts';
import { ofText } from './entry.ts';
import { activityList, EventPage, Related, Step } from './event-page.tsx';
import { MakeTestCase } from './make-test-case.tsx';
import { TextDetail } from './text-detail.tsx';

/** One judged text. */
export function TextPage() {
  const { queryId } = useParams({ from: '/activity/texts/$queryId' });
  const query = useQuery({
    queryKey: textKey(queryId),
    queryFn: () => monitoring.getQuery({ params: { query_id: queryId } }),
  });
  return (
    <QueryView query={query} list={activityList}>
      {(detail) => <Text detail={detail} />}
    </QueryView>
  );
}

const verbs = {
  flagged: 'flagged a text',
  observed: 'noticed a text, and let it pass',
  passed: 'let a text pass',
  allowed: 'let a text pass that is on its allow-list',
};

const sentenceOf = ({ guard_name: guard, outcome, policies }: QueryDetail) =>
  `${guard ?? 'A guard'} ${verbs[outcome]}${policies.length > 0 ? `: ${policies.join(', ')}` : ''}`;

function Text({ detail }: { detail: QueryDetail }) {
  const mayOpenGuard = useGuardNames()?.has(detail.guard_uuid) === true;
  const isFound = detail.outcome === 'flagged' || detail.outcome === 'observed';
  const params = { guardUuid: detail.guard_uuid };
  const [group] = detail.results;
  return (
    <EventPage
      {...ofText(detail)}
      sentence={sentenceOf(detail)}
      about={
        <>
          {detail.user_name !== null && <span>asked by {detail.user_name}</span>}
          <span>through {detail.door}</span>
          <span>{detail.from_cache ? 'from the cache' : milliseconds(detail.latency_ms)}</span>
        </>
      }
      next={
        <>
          {detail.text !== null && (
            <Step note="Say below, beside the policy, what is right; the guard can learn from it.">
              Correct the verdict
            </Step>
          )}
          <MakeTestCase detail={detail} />
          {mayOpenGuard && isFound && (
            <Step note="The same text, or all that match a pattern, is not judged again.">
              <Link
                to="/guards/$guardUuid"
                params={params}
                search={{ tab: 'allow-list', shown: detail.query_id }}
              >
                Allow this text
              </Link>
            </Step>
          )}
          {mayOpenGuard && (
            <Step note="Let the guard learn from the corrected verdicts, and see what would change first.">
              <Link to="/guards/$guardUuid" params={params} search={{ tab: 'adaptations' }}>
                Teach the guard
              </Link>
            </Step>
          )}
          {group !== undefined && (
            <Step note="Change a word of the text and see how the verdict changes.">
              <Link
                to="/policies/$groupUuid"
                params={{ groupUuid: group.policy_group_uuid }}
                search={{ tab: 'test' }}
              >
                Try it in the tester
              </Link>
            </Step>
          )}
          {mayOpenGuard && (
            <Step note="Its policies, strictness and settings.">
              <Link to="/guards/$guardUuid" params={params}>
                Open the guard {detail.guard_name}
              </Link>
            </Step>
          )}
        </>
      }
      related={<SameText detail={detail} />}
    >
      <Panel>
        <TextDetail detail={detail} />
        <InLogs detail={detail} />
      </Panel>
    </EventPage>
  );
}

/** What finds the same request in the service’s log and traces. */
function InLogs({ detail }: { detail: QueryDetail }) {
  if (detail.request_id === null && detail.trace_id === null) return null;
  return (
    <details className="mt-5">
      <summary className="cursor-pointer text-[13px] text-ink-soft">In the service’s log</summary>
      <div className="mt-2">
        <Facts
          facts={[
            ['Request', detail.request_id ?? '–'],
            ['Trace', detail.trace_id ?? '–'],
          ]}
        />
      </div>
    </details>
  );
}

const mostRelated = 6;

/** Equal texts, if the guard keeps their hashes. */
function SameText({ detail }: { detail: QueryDetail }) {
  const hash = detail.text_hash;
  const { data } = useQuery({
    queryKey: ['queries', 'same-text', hash],
    queryFn: () => monitoring.listQueries({ query: { search: hash ?? '', limit: mostRelated } }),
    enabled: hash !== null,
  });
  if (hash === null || data === undefined) return null;
  return (
    <Related
      title="The same text"
      entries={data.queries.filter(({ query_id: id }) => id !== detail.query_id).map(ofText)}
      all={
        data.total > mostRelated && (
          <Link to="/queries" search={{ words: hash }} className="text-sm text-accent hover:underline">
            All {data.total}
          </Link>
        )
      }
    />
  );
}
