import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { Finding } from '../../api/mcp-scan.ts';
import { Button } from '../../parts/button.tsx';
import { cn } from '../../parts/cn.ts';
import { Empty } from '../../parts/states.tsx';
import { severities, type Severity } from './badges.tsx';
import { doesNotCount, FindingCard } from './finding-card.tsx';

const shownFirst = 50;

/** The findings of a scan, worst first; the first one is open. */
export function FindingList({ findings, scanId }: { findings: readonly Finding[]; scanId: number }) {
  const [severity, setSeverity] = useState<Severity | 'suppressed'>();
  const [most, setMost] = useState(shownFirst);
  const counting = findings.filter((each) => !doesNotCount(each));
  const suppressed = findings.length - counting.length;
  const shown =
    severity === undefined
      ? findings
      : severity === 'suppressed'
        ? findings.filter(doesNotCount)
        : counting.filter((each) => each.severity === severity);
  if (findings.length === 0)
    return (
      <Empty icon={ShieldCheck} title="Nothing was found">
        What was read and what was not stands under Coverage.
      </Empty>
    );
  const counted = severities.map((each) => ({
    severity: each,
    count: counting.filter((finding) => finding.severity === each).length,
  }));
  return (
    <>
      <h2 className="sr-only">Findings</h2>
      <div
        role="group"
        aria-label="Severity"
        className="mb-4 inline-flex flex-wrap gap-0.5 rounded-lg bg-raised p-0.5"
      >
        <Choice isChosen={severity === undefined} onChoice={() => setSeverity(undefined)}>
          All {findings.length}
        </Choice>
        {counted
          .filter(({ count }) => count > 0)
          .map(({ severity: each, count }) => (
            <Choice key={each} isChosen={severity === each} onChoice={() => setSeverity(each)}>
              {each} {count}
            </Choice>
          ))}
        {suppressed > 0 && (
          <Choice isChosen={severity === 'suppressed'} onChoice={() => setSeverity('suppressed')}>
            does not count {suppressed}
          </Choice>
        )}
      </div>
      <ul className="grid gap-3">
        {shown.slice(0, most).map((finding, at) => (
          <FindingCard key={finding.id} finding={finding} scanId={scanId} isOpen={at === 0} />
        ))}
      </ul>
      {shown.length > most && (
        <Button className="mt-4" onClick={() => setMost(most + 200)}>
          Show more of {shown.length}
        </Button>
      )}
    </>
  );
}

const Choice = ({
  isChosen,
  onChoice,
  children,
}: {
  isChosen: boolean;
  onChoice: () => void;
  children: React.ReactNode;
}) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onChoice}
    className={cn(
      'rounded-md px-3 py-1 text-[13px] text-ink-soft hover:text-ink',
      isChosen && 'bg-panel font-medium text-ink shadow-panel',
    )}
  >
    {children}
  </button>
);
