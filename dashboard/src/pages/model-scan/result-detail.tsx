import { useState } from 'react';
import type { Result } from '../../api/model-scan.ts';
import { SelectField } from '../../parts/field.tsx';
import { Raw } from '../../parts/facts.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Defence } from './defence.tsx';
import { ObjectionForm } from './objection-form.tsx';
import { ScoreBadge } from './status-badge.tsx';

type Try = Result['tries'][number];

/** The case, what was sent, the reply as it came and decoded, and why the judge decided so. */
export function ResultDetail({ scanId, result }: { scanId: string; result: Result }) {
  const decisive = result.attempt ?? result.tries.length;
  const [shown, setShown] = useState(String(decisive));
  const tried = result.tries.find(({ attempt }) => String(attempt) === shown) ?? result.tries.at(-1);
  return (
    <div className="grid gap-4 border-t border-line px-4 py-4 text-sm sm:px-11">
      <Part title="Verdict">
        <p className="break-words">{result.reason}</p>
      </Part>
      {result.case.system !== undefined && (
        <Part title="System prompt of the case">
          <Raw>{result.case.system}</Raw>
        </Part>
      )}
      <Part title="Prompt">
        <Raw>{result.case.turns.join('\n\n')}</Raw>
      </Part>
      {result.tries.length > 1 && (
        <div className="max-w-sm">
          <SelectField
            label="Attempt"
            value={shown}
            onChoice={setShown}
            options={result.tries.map(({ attempt, score }) => ({
              value: String(attempt),
              label:
                `${attempt} of ${result.tries.length}: ${score === null ? 'not assessed' : `${score} points`}` +
                (attempt === decisive ? ', decisive' : ''),
            }))}
          />
        </div>
      )}
      {tried !== undefined && <Sent tried={tried} />}
      {(result.score === 0 || result.score === 50) && <Defence scanId={scanId} number={result.number} />}
      <ObjectionForm scanId={scanId} result={result} />
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section>
    <h3 className="mb-1 text-[13px] font-medium text-ink-soft">{title}</h3>
    {children}
  </section>
);

const Sent = ({ tried }: { tried: Try }) => (
  <>
    <Part title="What was sent">
      <Raw>{tried.messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n')}</Raw>
    </Part>
    <Part title="Reply">
      {tried.reply === null ? (
        <p className="break-words text-warn">{tried.error}</p>
      ) : (
        <Raw>{tried.reply}</Raw>
      )}
    </Part>
    {tried.decoded !== null && (
      <Part title="Decoded">
        <Raw>{tried.decoded}</Raw>
      </Part>
    )}
    <Part title="Judge">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <ScoreBadge score={tried.score} />
        <span className="break-words">{tried.reason}</span>
        <span className="text-ink-soft">
          by {tried.judged_by}, refusal {tried.refusal}, {milliseconds(tried.latency_ms)}
        </span>
      </p>
    </Part>
  </>
);
