import type { ReactNode } from 'react';
import type { Policy } from '../../api/policy-guard.ts';
import { share } from '../../parts/numbers.ts';

type JudgedBy = NonNullable<Policy['judged_by']>;

const helps: Record<JudgedBy['would_help'][number], ReactNode> = {
  language_model: (
    <>
      a language model that judges (<code>bulwark judge setup</code> finds those of this machine)
    </>
  ),
  examples: 'some dozens of examples in the optimisation lab',
  block_activities: 'activities that are blocked, each in a line of its own',
  safe_activities: 'activities that come close and are fine',
};

const inHundred = (quality: number) => Math.round(quality * 100);

/** From where on a figure is called so; half of all pairs is chance. */
const grades = [
  [0.9, 'well'],
  [0.75, 'fairly'],
  [0.6, 'roughly'],
] as const;

const gradeOf = (quality: number) => grades.find(([from]) => quality >= from)?.[1] ?? 'hardly';

/** Which other policies a policy without test cases is measured on. */
const alike: Readonly<Record<JudgedBy['embedded']['kind'], string>> = {
  english: 'like it',
  other_language: 'in other languages than English',
  short: 'by their name alone',
  detector: 'like it',
};

function measuredOn({ cases, policies, source, kind }: JudgedBy['embedded']): string {
  if (cases === undefined) return `Measured on ${policies} other policies ${alike[kind]}: `;
  const what = source === undefined ? 'your test cases' : `the public data set ${source}`;
  return `Measured on ${what} (${cases.violating} violate, ${cases.harmless} do not): `;
}

/** What the embedded engine makes of this policy as it stands, and what would help. */
export function JudgedByPanel({ judgedBy }: { judgedBy: JudgedBy }) {
  const { embedded, would_help: wouldHelp } = judgedBy;
  const { quality, interval, cases, found, near_flagged: flagged } = embedded;
  const [low, high] = [inHundred(interval.low), inHundred(interval.high)];
  return (
    <section className="grid gap-2 rounded-lg bg-raised px-4 py-3 text-sm" aria-label="How well it is judged">
      <h3 className="font-medium">
        Without a language model it is judged {gradeOf(quality)}
        <span className="font-normal text-ink-soft">, as it is saved</span>
      </h3>
      <div
        className="relative h-2 rounded-full bg-panel"
        role="meter"
        aria-label={`${inHundred(quality)} of 100 pairs in the right order, between ${low} and ${high}`}
        aria-valuemin={50}
        aria-valuemax={100}
        aria-valuenow={Math.max(50, inHundred(quality))}
      >
        <div
          className="absolute h-full rounded-full bg-(--series-1)/45"
          style={{ left: `${fromChance(interval.low)}%`, right: `${100 - fromChance(interval.high)}%` }}
        />
        <div
          className="absolute -top-0.5 h-3 w-0.5 bg-ink"
          style={{ left: `${fromChance(quality)}%` }}
          aria-hidden
        />
      </div>
      <p className="text-[13px] text-ink-soft">
        {measuredOn(embedded)}
        in {inHundred(quality)} of 100 pairs ({low} to {high}) the text that violates has the higher
        probability; 50 would be chance. At 0.5, {share(found)} of the violations are found, and{' '}
        {share(flagged)} of the {cases === undefined ? 'harmless texts in its own words' : 'harmless texts'}{' '}
        are flagged.
      </p>
      {wouldHelp.length > 0 && (
        <p className="text-[13px]">
          <span className="text-ink-soft">What would help most: </span>
          {wouldHelp.map((each, at) => (
            <span key={each}>
              {at > 0 && '; '}
              {helps[each]}
            </span>
          ))}
          .
        </p>
      )}
    </section>
  );
}

/** Where a figure lies between chance and always right, in percent. */
const fromChance = (quality: number): number => Math.max(0, Math.min(100, (quality - 0.5) * 200));
