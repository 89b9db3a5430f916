import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actionGuard, actionKeys, type LogDetail, type Trace, type Verdict } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/field.tsx';
import { JsonEditor } from '../../parts/json-editor.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { OutOfDate } from '../../parts/out-of-date.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Ticked } from '../../parts/ticked.tsx';
import { ActingUser, sentUser, typedUser, type TypedUser } from './acting-user.tsx';
import { exampleTraces } from './example-traces.ts';
import { SeverityBadge } from './severity-badge.tsx';
import { TraceView } from './trace-view.tsx';

const shownAs = (trace: Trace) => JSON.stringify(trace, null, 2);

/** Of a logged action the trace, or the call alone where that was not kept. */
const tracesOf = (logged: LogDetail): Trace =>
  (logged.trace as Trace | null) ?? [
    { role: 'agent', metadata: { tool_name: logged.tool_name, tool_params: logged.tool_params } },
  ];

/** Judges a trace by a policy set and shows step by step what was seen; `?shown=` opens a logged action. */
export function PlaygroundPage() {
  const [shown] = useAddress('shown');
  const logged = useQuery({
    queryKey: actionKeys.log(shown),
    queryFn: () => actionGuard.getLog({ params: { log_id: shown } }),
    enabled: shown !== '',
    staleTime: Infinity,
  });
  if (shown === '') return <Playground setId="agp_default" />;
  return (
    <QueryView query={logged}>
      {(data) => <Playground key={shown} logged={data} setId={data.policy_id} />}
    </QueryView>
  );
}

interface Example {
  readonly name: string;
  readonly trace: Trace;
  readonly user?: LogDetail['user'];
}

/** What would be sent. */
interface Asked {
  readonly text: string;
  readonly setId: string;
  readonly user: TypedUser;
}

const examplesWith = (logged: LogDetail | undefined) =>
  logged === undefined
    ? exampleTraces
    : [{ name: 'The logged action', trace: tracesOf(logged), user: logged.user }, ...exampleTraces];

function Playground({ logged, setId: firstSet }: { logged?: LogDetail; setId: string }) {
  const traces: readonly Example[] = examplesWith(logged);
  const [example, setExample] = useState(0);
  const [text, setText] = useState(() => shownAs(traces[0]?.trace ?? []));
  const [user, setUser] = useState(() => typedUser(traces[0]?.user));
  const [setId, setSetId] = useState(firstSet);
  const sets = useQuery({ queryKey: actionKeys.setList('all'), queryFn: () => actionGuard.listPolicySets() });
  const judge = useMutation({
    mutationFn: async (asked: Asked) => {
      const trace = JSON.parse(asked.text) as Trace;
      const acting = sentUser(asked.user);
      const session_info = acting && { user: acting };
      const verdict = await actionGuard.guardActions({
        body: {
          session_history: { trace, session_info },
          session_id: 'playground',
          policy_id: asked.setId,
          trial: true,
        },
      });
      return { trace, verdict };
    },
  });
  const now: Asked = { text, setId, user };
  const initial = shownAs(traces[example]?.trace ?? []);
  return (
    <>
      <PageHead
        title="Playground"
        lead="Enter a trace: the user’s request, the agent’s steps and the tool results. The last agent step is judged; such trials are neither logged nor counted."
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel
          title="Trace"
          className="lg:sticky lg:top-6"
          actions={
            <Button kind="primary" busy={judge.isPending} onClick={() => judge.mutate(now)}>
              Judge the last step
            </Button>
          }
        >
          <div className="grid gap-4">
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField
                label="Example"
                value={String(example)}
                options={traces.map(({ name }, i) => ({ value: String(i), label: name }))}
                onChoice={(next) => {
                  const chosen = Number(next);
                  setExample(chosen);
                  setText(shownAs(traces[chosen]?.trace ?? []));
                  setUser(typedUser(traces[chosen]?.user));
                }}
              />
              <SelectField
                label="Judged by"
                value={setId}
                options={
                  sets.data?.policy_sets.map(({ id, name }) => ({ value: id, label: name })) ?? [
                    { value: 'agp_default', label: 'Default' },
                  ]
                }
                onChoice={setSetId}
              />
            </div>
            {logged?.trace === null && example === 0 && (
              <p className="text-[13px] text-ink-soft">
                The log kept the call alone, neither what came before it nor whom the agent acted for: the
                verdict may be another one. The setting <code>action_guard.log_traces</code> keeps them.
              </p>
            )}
            <ActingUser user={user} onChange={setUser} />
            <JsonEditor label="Trace as JSON" initial={initial} onChange={setText} />
          </div>
        </Panel>
        <div className="grid gap-6" aria-live="polite">
          {judge.isError && <Failure error={judge.error} />}
          {judge.data !== undefined && (
            <OutOfDate
              asked={judge.variables}
              now={now}
              what="The trace, its user or the policy set was changed"
            >
              <VerdictPanel verdict={judge.data.verdict} />
              <Panel title="Step by step">
                <TraceView trace={judge.data.trace} verdict={judge.data.verdict} />
              </Panel>
            </OutOfDate>
          )}
        </div>
      </div>
    </>
  );
}

/** More are shown on demand: one action often violates several similar rules. */
const detailsShown = 2;

function VerdictPanel({ verdict }: { verdict: Verdict }) {
  const details = [...verdict.violations_detail, ...verdict.warnings_detail];
  const rest = details.slice(detailsShown);
  return (
    <Panel
      title={
        <span className="flex items-center gap-2">
          Verdict {verdict.allowed ? <Badge tone="good">allowed</Badge> : <Badge tone="flag">blocked</Badge>}
          {verdict.threat_category !== 'none' && (
            <Badge>{verdict.threat_category.replaceAll('_', ' ')}</Badge>
          )}
        </span>
      }
      note={verdict.explanation}
      actions={<Badge>trial</Badge>}
    >
      <Details details={details.slice(0, detailsShown)} />
      {rest.length > 0 && (
        <details className="mt-3">
          <summary className="cursor-pointer text-[13px] font-medium text-ink-soft">
            {rest.length} more {rest.length === 1 ? 'rule' : 'rules'}
          </summary>
          <div className="mt-3">
            <Details details={rest} />
          </div>
        </details>
      )}
      {verdict.facts.length > 0 && (
        <>
          <h3 className="mt-4 mb-1.5 text-sm font-medium">What was seen</h3>
          <ul className="grid list-disc gap-1 pl-5 text-sm text-ink-soft">
            {verdict.facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-4 text-[13px] text-ink-soft">
        {verdict.total_enabled_rules} rules of {verdict.active_policies.length} policies;{' '}
        {verdict.blocking_metadata.engine}
        {verdict.service_status === 'degraded' && '; the language model was unavailable'}
      </p>
    </Panel>
  );
}

const Details = ({ details }: { details: Verdict['violations_detail'] }) => (
  <ul className="grid gap-3 text-sm">
    {details.map((detail) => (
      <li key={detail.rule_id} className="rounded-lg bg-raised p-3">
        <p className="flex items-start justify-between gap-3">
          <span className="font-medium">{detail.description}</span>
          <span className="flex gap-1.5">
            <Badge tone={detail.action === 'deny' ? 'flag' : 'warn'}>{detail.action}</Badge>
            <SeverityBadge severity={detail.severity} />
          </span>
        </p>
        <p className="mt-1 text-ink-soft">
          <Ticked>{detail.reason}</Ticked>
        </p>
        <p className="mt-1 text-[13px] text-ink-soft">
          {detail.policy_name} · {Math.round(detail.confidence * 100)} % sure
        </p>
      </li>
    ))}
  </ul>
);
