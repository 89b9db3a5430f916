import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { video, videoKey, type Capabilities, type Deployment, type DetectorName } from '../../api/video.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { DeploymentForm } from './deployment-form.tsx';
import { categoryName, coverageWords } from './names.ts';
import { useDeployments } from './use-deployments.ts';

/** What looks for what, a trial of each detector, and deployments. */
export function DetectorsTab() {
  const [edited, setEdited] = useState<Deployment | 'new'>();
  const capabilities = useQuery({
    queryKey: [...videoKey, 'capabilities'],
    queryFn: () => video.getCapabilities({ query: {} }),
  });
  const deployments = useDeployments();
  return (
    <div className="grid gap-5">
      <QueryView query={capabilities}>{(found) => <Preset capabilities={found} />}</QueryView>
      <Panel
        title="Deployments"
        note="Categories, thresholds and detectors under a name, which requests ask for."
        actions={<Button onClick={() => setEdited('new')}>New deployment</Button>}
      >
        <QueryView query={deployments}>
          {({ deployments: all }) =>
            all.length === 0 ? (
              <p className="text-sm text-ink-soft">None yet: requests use the preset of this installation.</p>
            ) : (
              <ul className="grid gap-2 text-sm">
                {all.map((each) => (
                  <li key={each.deployment_id} className="flex flex-wrap items-center justify-between gap-2">
                    <span className="min-w-0 break-words">
                      <span className="font-medium">{each.name}</span>{' '}
                      <span className="text-ink-soft">
                        {each.categories.length} categories · {each.owner_name ?? 'unknown'}
                      </span>
                    </span>
                    <Button size="small" onClick={() => setEdited(each)}>
                      Edit
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </Panel>
      {edited !== undefined && (
        <DeploymentForm
          deployment={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function Preset({ capabilities }: { capabilities: Capabilities }) {
  const { decoder, detectors, coverage, limits, not_covered: notCovered } = capabilities;
  return (
    <>
      <Panel title="Detectors" note={decoder.message}>
        {!decoder.available && <Badge tone="flag">The decoder is missing</Badge>}
        <ul className="grid gap-3 text-sm">
          {detectors.map((each) => (
            <Detector key={each.detector} {...each} />
          ))}
        </ul>
      </Panel>
      <div className="grid gap-5 lg:grid-cols-2">
        <Panel title="What is looked for">
          <ul className="grid gap-1.5 text-sm">
            {Object.entries(coverage).map(([category, level]) => (
              <li key={category} className="flex justify-between gap-3">
                <span>{categoryName(category)}</span>
                <Badge tone={level === 'model' ? 'good' : level === 'none' ? 'flag' : 'warn'}>
                  {coverageWords[level]}
                </Badge>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="What is not">
          <ul className="mb-4 grid list-disc gap-1.5 pl-5 text-sm">
            {notCovered.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Facts
            facts={[
              ['Longest video', `${limits.url_seconds / 60} min`],
              ['Largest file by address', `${Math.round(limits.url_bytes / 1024 ** 2)} MB`],
              ['Largest upload', `${Math.round(limits.upload_bytes / 1024 ** 2)} MB`],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}

function Detector({ detector, available, enabled, message }: Capabilities['detectors'][number]) {
  const trial = useMutation({
    mutationFn: (name: DetectorName) => video.testDetector({ body: { detector: name } }),
  });
  const answer = trial.data;
  return (
    <li className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <span className="font-medium">{detector}</span>{' '}
        {available && enabled ? (
          <Badge tone="good">on</Badge>
        ) : (
          <Badge>{available ? 'off' : 'not set up'}</Badge>
        )}
        <p className="text-[13px] break-words text-ink-soft">{message}</p>
        {answer !== undefined && (
          <p role="status" className={answer.ok ? 'text-[13px] text-good' : 'text-[13px] text-flag'}>
            {answer.message} ({answer.latency_ms.toFixed(0)} ms)
          </p>
        )}
        {trial.isError && <p className="text-[13px] text-flag">{messageOf(trial.error)}</p>}
      </div>
      <Button size="small" busy={trial.isPending} onClick={() => trial.mutate(detector)}>
        Test {detector}
      </Button>
    </li>
  );
}
