import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { Setting } from '../../api/deployment.ts';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { Button } from '../../parts/button.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { SettingList } from './setting-list.tsx';

/** The verdict cache, and a button to empty it. */
export function CacheSettings({ settings }: { settings: readonly Setting[] }) {
  const queries = useQueryClient();
  const stats = useQuery({
    queryKey: keys.cache,
    queryFn: () => policyGuard.getCacheStats(),
    refetchInterval: 5_000,
  });
  const clear = useMutation({
    mutationFn: () => policyGuard.clearCache(),
    onSuccess: async ({ cleared }) => {
      toast.success(`${count(cleared)} verdicts are forgotten.`);
      await queries.invalidateQueries({ queryKey: keys.cache });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <div className="grid max-w-4xl gap-6">
      <QueryView query={stats}>
        {({ backend, entries, hits, misses, hit_rate: rate }) => (
          <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
            <Figure name="Kept in" value={backend === 'redis' ? 'Redis' : 'memory'} />
            <Figure name="Verdicts of your tenant" value={count(entries)} />
            <Figure name="Hits" value={count(hits)} note={share(rate)} />
            <Figure name="Misses" value={count(misses)} />
          </dl>
        )}
      </QueryView>
      <Panel
        title="Verdict cache"
        note="Verdicts of texts that were judged before come from the cache. Changing a guard or a group invalidates its cached verdicts."
        actions={
          <Button size="small" busy={clear.isPending} onClick={() => clear.mutate()}>
            Forget all verdicts
          </Button>
        }
      >
        <SettingList settings={settings} />
      </Panel>
    </div>
  );
}
