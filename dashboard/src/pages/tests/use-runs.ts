import { useQueries } from '@tanstack/react-query';
import { mcpScan, scanKey } from '../../api/mcp-scan.ts';
import { listScans, modelScanKey } from '../../api/model-scan.ts';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { useRunning } from '../../frame/use-running.ts';
import { ofMcpScan, ofModelScan, ofRedTeamRun, type Run } from './runs.ts';

const mostRuns = 100;
const busyMs = 3_000;
const idleMs = 15_000;

/** Faster while something is under way. */
const refetchInterval = ({ state }: { state: { data: readonly Run[] | undefined } }) =>
  state.data?.some((run) => run.state === 'under way') === true ? busyMs : idleMs;

/** Tests of all kinds, the newest first; failures are listed beside them. */
export function useRuns() {
  const running = useRunning();
  return useQueries({
    queries: [
      {
        queryKey: [...scanKey, 'runs'],
        queryFn: async (): Promise<readonly Run[]> =>
          (await mcpScan.listScans({ query: { page_size: mostRuns } })).scans.map(ofMcpScan),
        enabled: running('mcp-scan'),
        refetchInterval,
      },
      {
        queryKey: [...modelScanKey, 'runs'],
        queryFn: async (): Promise<readonly Run[]> => (await listScans('all')).map(ofModelScan),
        enabled: running('model-scan'),
        refetchInterval,
      },
      {
        queryKey: [...redTeamKey, 'newest-runs'],
        queryFn: async (): Promise<readonly Run[]> =>
          (await redTeam.listRuns({ query: { limit: String(mostRuns) } })).runs.map(ofRedTeamRun),
        enabled: running('red-team'),
        refetchInterval,
      },
    ],
    combine: (all) => ({
      runs: all.flatMap(({ data }) => data ?? []).toSorted((a, b) => b.at.localeCompare(a.at)),
      isPending: all.some(({ isLoading }) => isLoading),
      errors: all.flatMap(({ error }) => (error === null ? [] : [error])),
    }),
  });
}
