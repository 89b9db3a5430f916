import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { Adaptations } from './adaptations.tsx';
import { AllowList } from './allow-list.tsx';
import { AskGuard } from './ask-guard.tsx';
import { CallIt } from './call-it.tsx';
import { GuardForm } from './guard-form.tsx';
import { GuardSharing } from './guard-sharing.tsx';

const list = { to: '/guards', name: 'Guards' } as const;

/** One guard: settings, figures, adaptations, allow-list, and a test call. */
export function GuardPage() {
  const { guardUuid } = useParams({ from: '/guards/$guardUuid' });
  const guard = useQuery({
    queryKey: keys.guard(guardUuid),
    queryFn: () => policyGuard.getGuard({ params: { guard_uuid: guardUuid } }),
  });
  return (
    <QueryView query={guard} list={list}>
      {(data) => <GuardView guard={data} />}
    </QueryView>
  );
}

/** Changes with the saved settings, so that the form is reset; sharing a guard must not discard unsaved input. */
const formKey = (guard: Guard) =>
  JSON.stringify([
    guard.name,
    guard.policy_group_uuids,
    guard.policy_group_overrides,
    guard.enabled,
    guard.settings,
  ]);

function GuardView({ guard }: { guard: Guard }) {
  const { metrics } = guard;
  const mayChange = useMayChange(guard.owner_id);
  return (
    <>
      <PageHead
        list={list}
        title={
          <span className="flex items-center gap-3">
            {guard.name} {!guard.enabled && <Badge tone="warn">off</Badge>}
            {guard.settings.mode === 'observe' && <Badge tone="warn">observes</Badge>}
          </span>
        }
        lead={<code className="font-mono text-[13px] break-all">{guard.guard_uuid}</code>}
        actions={
          mayChange && (
            <DeletePageButton
              noun="guard"
              name={guard.name}
              run={() => policyGuard.deleteGuard({ params: { guard_uuid: guard.guard_uuid } })}
              list="/guards"
              changes={keys.guardLists}
            >
              Applications that ask it get 404 from then on. Its figures go with it.
            </DeletePageButton>
          )
        }
      />
      <p className="mb-6 flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-soft">
        <span>{count(metrics.requests_total)} texts</span>
        <span>{share(metrics.flag_rate)} flagged</span>
        <span>
          latency {milliseconds(metrics.latency_ms_avg)} on average, {milliseconds(metrics.latency_ms_p95)} at
          p95
        </span>
        <span>{share(metrics.cache_hit_rate)} from the cache</span>
      </p>
      <GuardSharing guard={guard} />
      <Tabs
        label="Parts of the guard"
        parts={[
          {
            value: 'settings',
            name: 'Settings',
            content: () => (
              <div className="grid items-start gap-6 lg:grid-cols-2">
                <GuardForm key={formKey(guard)} guard={guard} editable={mayChange} />
                <div className="grid min-w-0 gap-6">
                  <AskGuard guard={guard} />
                  <CallIt guard={guard} />
                </div>
              </div>
            ),
          },
          // Learned examples and allow-list entries may quote texts of users.
          ...(mayChange
            ? [
                {
                  value: 'adaptations',
                  name: 'Learned from examples',
                  content: () => <Adaptations guard={guard} />,
                },
                { value: 'allow-list', name: 'Allow-list', content: () => <AllowList guard={guard} /> },
              ]
            : []),
        ]}
      />
    </>
  );
}
