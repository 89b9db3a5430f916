import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { JudgedDraft, PolicyDraft, PolicyGroup, TestCase } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import type { CaseList } from './use-test-cases.ts';
import { useJudgedDraft, type JudgedCases } from './use-judged-draft.ts';

type CaseResult = JudgedDraft['results'][number];
type Suggestion = JudgedDraft['suggestions'][number];

/** As many, and as long, as the service keeps. */
const mostCases = 100;
const mostCharacters = 5000;

const outcomes = {
  found: { word: 'found', tone: 'good' },
  passed: { word: 'passes', tone: 'good' },
  missed: { word: 'missed', tone: 'flag' },
  false_alarm: { word: 'false alarm', tone: 'warn' },
} as const;

/** Texts that the policy must find or let pass, judged by it as it is written. */
export function TestCases({
  group,
  draft,
  cases,
  onActivity,
}: {
  group: PolicyGroup;
  draft: PolicyDraft;
  cases: CaseList;
  onActivity: (list: Suggestion['list'], activity: string) => void;
}) {
  const judged = useJudgedDraft(group, draft, cases.all);
  const results = resultsOf(judged.data);
  return (
    <section aria-label="Test cases">
      <h3 className="font-semibold tracking-tight">Test cases</h3>
      <p className="mt-0.5 text-[13px] text-ink-soft">
        Kept with the policy, and judged while you write by the embedded engine.
      </p>
      <div className="mt-3 grid gap-4">
        {cases.error !== null && <Failure error={cases.error} />}
        <Summary cases={cases.all} results={results} />
        {cases.all.length > 0 && (
          <ul className="divide-y divide-line">
            {cases.all.map((each) => (
              <Case
                key={each.text}
                testCase={each}
                result={results.get(each.text)}
                onTurn={() => cases.add({ ...each, violates: !each.violates })}
                onRemove={() => cases.remove(each.text)}
              />
            ))}
          </ul>
        )}
        {judged.isError && <Failure error={judged.error} />}
        {cases.all.length > 0 && judged.data !== undefined && (
          <Suggestions data={judged.data.judged} onActivity={onActivity} />
        )}
        <NewCase onAdd={cases.add} isFull={cases.all.length >= mostCases} />
      </div>
    </section>
  );
}

/** By the text of the case. */
function resultsOf(data: JudgedCases | undefined): ReadonlyMap<string, CaseResult | undefined> {
  if (data === undefined) return new Map();
  return new Map(data.cases.map(({ text }, i) => [text, data.judged.results[i]]));
}

/** What is right and wrong at a glance. */
function Summary({
  cases,
  results,
}: {
  cases: readonly TestCase[];
  results: ReadonlyMap<string, CaseResult | undefined>;
}) {
  if (cases.length === 0)
    return (
      <p className="rounded-lg bg-raised p-3 text-sm text-ink-soft">
        Add a text that it must find, and one that comes close and must pass.
      </p>
    );
  const shown = cases.map(({ text }) => results.get(text)).filter((each) => each !== undefined);
  const numberOf = (is: (result: CaseResult) => boolean) => shown.filter(is).length;
  const missed = numberOf(({ outcome }) => outcome === 'missed');
  const alarms = numberOf(({ outcome }) => outcome === 'false_alarm');
  const near = numberOf((result) => result.near);
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
      <span className="font-medium tabular-nums">
        {shown.length - missed - alarms} of {cases.length} right
      </span>
      {missed > 0 && <Badge tone="flag">{missed} missed</Badge>}
      {alarms > 0 && <Badge tone="warn">{alarms === 1 ? '1 false alarm' : `${alarms} false alarms`}</Badge>}
      {near > 0 && <Badge>{near} close</Badge>}
    </p>
  );
}

function Case({
  testCase: { text, violates },
  result,
  onTurn,
  onRemove,
}: {
  testCase: TestCase;
  result: CaseResult | undefined;
  onTurn: () => void;
  onRemove: () => void;
}) {
  const shown = result && outcomes[result.outcome];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 py-2 text-sm">
      <p className="line-clamp-2 break-words" title={text}>
        {text}
      </p>
      <span className="flex items-center gap-1.5">
        {result?.near === true && <Badge>close</Badge>}
        {shown !== undefined && <Badge tone={shown.tone}>{shown.word}</Badge>}
        <span className="w-8 text-right text-[13px] text-ink-soft tabular-nums">
          {result?.probability.toFixed(2)}
        </span>
        <Button
          size="small"
          kind="quiet"
          onClick={onRemove}
          aria-label={`Remove the test case: ${text.slice(0, 60)}`}
        >
          <X className="size-4" aria-hidden />
        </Button>
      </span>
      <button
        type="button"
        onClick={onTurn}
        className="justify-self-start text-[13px] text-ink-soft hover:underline"
        title="Turn it round"
      >
        {violates ? 'must be found' : 'must pass'}
      </button>
    </li>
  );
}

/** Activities that would settle wrong cases, as it was measured. */
function Suggestions({
  data: { results, suggestions },
  onActivity,
}: {
  data: JudgedDraft;
  onActivity: (list: Suggestion['list'], activity: string) => void;
}) {
  const wrong = results.filter(({ outcome }) => outcome === 'missed' || outcome === 'false_alarm').length;
  if (wrong + suggestions.length === 0) return null;
  if (suggestions.length === 0)
    return (
      <p className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
        One more activity does not settle {wrong === 1 ? 'this case' : `these ${wrong} cases`}. Save, and let
        the policy learn from its test cases in the lab.
      </p>
    );
  return (
    <div className="rounded-lg bg-accent-soft p-3">
      <h4 className="text-sm font-medium">What would help</h4>
      <ul className="mt-2 grid gap-2 text-sm">
        {suggestions.map(({ list, activity, fixes, breaks }) => (
          <li key={`${list} ${activity}`} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3">
            <span className="min-w-0">
              <span className="line-clamp-2 break-words">{activity}</span>
              <span className="block text-[13px] text-ink-soft">
                {fixes.length === 1 ? 'settles 1 case' : `settles ${fixes.length} cases`}
                {breaks.length > 0 && `, breaks ${breaks.length}`}
              </span>
            </span>
            <Button size="small" onClick={() => onActivity(list, activity)}>
              <Plus className="size-4" aria-hidden />
              {list === 'block_activities' ? 'Add to Blocks' : 'Add to Allows'}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function NewCase({ onAdd, isFull }: { onAdd: (added: TestCase) => void; isFull: boolean }) {
  const [text, setText] = useState('');
  const add = (violates: boolean) => {
    onAdd({ text: text.trim(), violates });
    setText('');
  };
  const isBlank = text.trim() === '';
  return (
    <div className="grid gap-2">
      <TextArea
        label="A text to test"
        rows={2}
        maxLength={mostCharacters}
        value={text}
        disabled={isFull}
        {...(isFull && { hint: `There are ${mostCases}, the most that a policy can have.` })}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={isBlank} onClick={() => add(true)}>
          It must be found
        </Button>
        <Button size="small" disabled={isBlank} onClick={() => add(false)}>
          It must pass
        </Button>
      </div>
    </div>
  );
}
