import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { redTeam, redTeamKey, type ResultDetail } from '../../api/red-team.ts';
import { Facts } from '../../parts/facts.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { KindBadges, TaskBadge } from './badges.tsx';
import { Defence } from './defence.tsx';
import { MarkedCode } from './marked-code.tsx';
import { StarButton } from './star-button.tsx';
import { StateChanges } from './state-changes.tsx';
import { Trajectory } from './trajectory.tsx';
import { useCategoryNames } from './use-category-names.ts';
import { domainName, outcomeWords, spoken, vectorWords } from './words.ts';

const list = { to: '/red-team', name: 'Evaluations' } as const;

/** One task of a run: what the agent did, step by step, and why the judge decided so. */
export function ResultPage() {
  const { resultId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...redTeamKey, 'result', resultId],
    queryFn: () => redTeam.getResult({ params: { result_id: resultId } }),
  });
  return (
    <QueryView query={query} list={list}>
      {(result) => <Shown result={result} />}
    </QueryView>
  );
}

const yesNo = (value: boolean | null) => (value === null ? '–' : value ? 'yes' : 'no');

function Shown({ result }: { result: ResultDetail }) {
  const nameOf = useCategoryNames();
  return (
    <>
      <PageHead
        list={list}
        title={result.title}
        lead={
          <span className="mt-1 flex flex-wrap items-center gap-1.5">
            <TaskBadge {...result} />
            <KindBadges task={result} />
            <Link
              to="/red-team/runs/$runId"
              params={{ runId: result.run_id }}
              className="text-[13px] underline"
            >
              Its run
            </Link>
          </span>
        }
        actions={<StarButton result={result} withWords />}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Panel title="Trajectory" note="Everything that the agent was told, called, read and replied.">
          {result.trajectory === null ? (
            <p className="text-sm text-ink-soft">
              {result.error ?? 'The task has not ended yet: there is no trajectory.'}
            </p>
          ) : (
            <Trajectory trajectory={result.trajectory} canaries={result.canaries} />
          )}
        </Panel>
        <div className="grid min-w-0 gap-6">
          <Verdict result={result} nameOf={nameOf} />
          {result.attack_success === true && <Defence result={result} />}
          {result.lineage.length > 0 && <Lineage result={result} />}
          <Panel title="State changes" note="What was different in the environments at the end.">
            <StateChanges changes={result.judge?.state_changes ?? []} canaries={result.canaries} />
          </Panel>
        </div>
      </div>
    </>
  );
}

type Fact = readonly [name: string, value: string];

/** What of a result is always there, and what only where it has a value. */
function factsOf(result: ResultDetail, nameOf: (id: string) => string): Fact[] {
  const optional = (name: string, value: string | null, textOf = (text: string) => text): Fact[] =>
    value === null ? [] : [[name, textOf(value)]];
  return [
    ['Outcome', result.outcome === null ? '–' : (outcomeWords[result.outcome] ?? result.outcome)],
    ...optional('Category', result.risk_category, nameOf),
    ...optional('Kind', result.sub_category, spoken),
    ['Domain', domainName(result.domain)],
    ...optional('Injected in', result.vector, (vector) => vectorWords[vector] ?? vector),
    ...optional('Wording', result.template, spoken),
    ['Delivered', yesNo(result.delivered)],
    ['Attack succeeded', yesNo(result.attack_success)],
    ['Work done', yesNo(result.task_success)],
    ...optional('Rule at stake', result.policy),
    ...optional('Error', result.error),
  ];
}

function Verdict({ result, nameOf }: { result: ResultDetail; nameOf: (id: string) => string }) {
  const { judge } = result;
  return (
    <Panel title="Verdict">
      <Facts facts={factsOf(result, nameOf)} />
      {judge !== null && judge.evidence.length > 0 && <Reasons title="Evidence" sentences={judge.evidence} />}
      {judge !== null && judge.collateral.length > 0 && (
        <Reasons title="Unexplained changes" sentences={judge.collateral} />
      )}
    </Panel>
  );
}

const Reasons = ({ title, sentences }: { title: string; sentences: readonly string[] }) => (
  <section className="mt-4">
    <h3 className="mb-1 text-[13px] font-medium">{title}</h3>
    <ul className="grid list-disc gap-1 pl-5 text-sm">
      {sentences.map((sentence, i) => (
        <li key={`${i} ${sentence.slice(0, 40)}`} className="break-words">
          {sentence}
        </li>
      ))}
    </ul>
  </section>
);

/** How an injection was rewritten until it succeeded, or until the budget was used up. */
const Lineage = ({ result }: { result: ResultDetail }) => (
  <Panel
    title="Attempts"
    note="Each text was written from those before it; the trajectory is that of the last."
  >
    <ol className="grid gap-3" aria-label="Attempts">
      {result.lineage.map(({ attempt, injection, outcome, reply }) => (
        <li key={attempt} className="min-w-0 text-sm">
          <p className="mb-1 text-[13px] font-medium">
            {attempt}. {outcome === null ? 'not judged' : (outcomeWords[outcome] ?? outcome)}
          </p>
          <MarkedCode className="rounded-lg bg-raised p-2" heightPx={160} text={injection} />
          {reply !== '' && <p className="mt-1 break-words text-ink-soft">{reply}</p>}
        </li>
      ))}
    </ol>
  </Panel>
);
