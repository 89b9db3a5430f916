import type { Result } from '../../api/video.ts';
import { Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { categoryName, coverageWords } from './names.ts';
import { thresholdOf, useDeployment } from './use-deployments.ts';

/** What was found of each category, the gravest first; and the categories that nothing has looked for. */
export function CategoryList({ result }: { result: Result }) {
  const { coverage, summary, covered_by: coveredBy } = result;
  const deployment = useDeployment(result.deployment_id);
  const weightOf = (category: string) =>
    (summary.categories[category] === true ? 2 : 0) + (summary.probs[category] ?? 0);
  const looked = Object.entries(coverage)
    .filter(([, level]) => level !== 'none')
    .toSorted(([a], [b]) => weightOf(b) - weightOf(a));
  const missed = Object.keys(coverage).filter((category) => coverage[category] === 'none');
  return (
    <Panel
      title="Categories"
      note={`The gravest first, with the thresholds of ${deployment === undefined ? 'this installation' : `“${deployment.name}”`}. Each says how it was looked for in this video.`}
    >
      <ul className="grid gap-4">
        {looked.map(([category, level]) => (
          <li key={category}>
            <ProbabilityBar
              name={categoryName(category)}
              probability={summary.probs[category] ?? 0}
              threshold={thresholdOf(deployment, category)}
              flagged={summary.categories[category] === true}
            />
            <p className="mt-1 text-[13px] text-ink-soft">
              Looked for {coverageWords[level]}
              {(coveredBy[category] ?? [])
                .map(({ detector, note }) => ` · ${detector}${note === undefined ? '' : `: ${note}`}`)
                .join('')}
            </p>
          </li>
        ))}
      </ul>
      {missed.length > 0 && (
        <div className="mt-5 rounded-lg bg-raised p-3 text-sm">
          <p className="font-medium">Not looked for in this video</p>
          <p className="mt-1 text-ink-soft">
            {missed.map(categoryName).join('; ')}. No detector that ran covers them: they may be in it.
          </p>
        </div>
      )}
    </Panel>
  );
}
