import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Setting } from '../../api/deployment.ts';
import { keys, patientPolicyGuard, policyGuard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { count, milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { SettingList } from './setting-list.tsx';

type Health = Awaited<ReturnType<typeof policyGuard.getHealth>>;
type Test = Awaited<ReturnType<typeof patientPolicyGuard.testLanguageModel>>;

/** The language model: its detected capabilities, and a button to test it. */
export function LanguageModelSettings({ settings }: { settings: readonly Setting[] }) {
  const queries = useQueryClient();
  const health = useQuery({ queryKey: keys.health, queryFn: () => policyGuard.getHealth() });
  const test = useMutation({
    mutationFn: () => patientPolicyGuard.testLanguageModel(),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.health }),
  });
  return (
    <div className="grid max-w-4xl gap-6">
      <QueryView query={health}>
        {(data) => (
          <Panel
            title={
              <span className="flex items-center gap-2">
                Language model <State health={data} />
              </span>
            }
            note={
              data.llm === null
                ? 'None is configured: the embedded engine judges alone. Set llm.base_url and llm.model to any OpenAI-compatible server.'
                : 'Detected by test requests.'
            }
            actions={
              data.llm !== null && (
                <Button size="small" kind="primary" busy={test.isPending} onClick={() => test.mutate()}>
                  Test it now
                </Button>
              )
            }
          >
            {data.llm !== null && (
              <Facts
                facts={[
                  ['Model', data.llm.model],
                  [
                    'Found out',
                    data.llm.probed_at === null ? 'not yet' : <Ago key="at" at={data.llm.probed_at} />,
                  ],
                  ['Log-probabilities', <Yes key="p" is={data.llm.logprobs} />],
                  ['Supports JSON Schema', <Yes key="j" is={data.llm.json_schema} />],
                  ['Reasoning', data.llm.reasoning ?? '?'],
                  ['Distinguishes harmful from harmless', <Yes key="h" is={data.llm.judges} />],
                ]}
              />
            )}
            <div aria-live="polite">
              {test.isError && (
                <div className="mt-4">
                  <Failure error={test.error} />
                </div>
              )}
              {test.data !== undefined && <TestResult test={test.data} />}
            </div>
          </Panel>
        )}
      </QueryView>
      <Panel title="Settings">
        <SettingList settings={settings} />
      </Panel>
    </div>
  );
}

function State({ health }: { health: Health }) {
  if (health.llm === null) return <Badge>none</Badge>;
  return health.llm_available ? (
    <Badge tone="good">answers</Badge>
  ) : (
    <Badge tone="flag">does not answer</Badge>
  );
}

const Yes = ({ is }: { is: boolean | null }): ReactNode =>
  is === null ? (
    '?'
  ) : is ? (
    <span className="inline-flex items-center gap-1 text-good">
      <Check className="size-3.5" aria-hidden /> yes
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-flag">
      <X className="size-3.5" aria-hidden /> no
    </span>
  );

const TestResult = ({ test }: { test: Test }) => (
  <div className="mt-5 rounded-lg bg-raised p-4">
    <p className="mb-3 flex items-center gap-2 text-sm font-medium">
      {test.answered ? (
        <Badge tone="good">answered in {milliseconds(test.latency_ms)}</Badge>
      ) : (
        <Badge tone="flag">no answer</Badge>
      )}
      {test.error}
    </p>
    <Facts
      facts={[
        ['Endpoint', test.endpoint],
        ['It said', test.reply === null ? '–' : test.reply || 'nothing'],
        ['Top log-probabilities', test.capabilities?.top_logprobs ?? '?'],
        ['Requests since start', `${count(test.usage.requests)} requests, ${test.usage.failures} failures`],
        [
          'Tokens',
          `${count(test.usage.prompt_tokens)} of prompts, ${count(test.usage.completion_tokens)} of answers`,
        ],
      ]}
    />
  </div>
);
