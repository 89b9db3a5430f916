import { useQueries } from '@tanstack/react-query';
import { mcpScan, scanKey } from '../../api/mcp-scan.ts';
import { modelScan, modelScanKey } from '../../api/model-scan.ts';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { useRunning } from '../../frame/use-running.ts';

/** How many tests have failed, and how many wait for somebody. */
interface Stopped {
  readonly failed: number;
  readonly waiting: number;
}

const dayMs = 86_400_000;
const refetchInterval = 60_000;

async function ofMcpScans(since: string): Promise<Stopped> {
  const total = async (status: string) =>
    (await mcpScan.listScans({ query: { status, start_time: since, page_size: 1 } })).total;
  const [failed, waiting] = await Promise.all([total('failed'), total('pending,needs_auth')]);
  return { failed, waiting };
}

async function ofModelScans(since: string): Promise<Stopped> {
  const scans = await modelScan.getProgress({
    body: { since, status: ['Paused', 'Failed', 'Error'] },
  });
  const all = [scans].flat();
  const waiting = all.filter(({ status }) => status === 'Paused').length;
  return { failed: all.length - waiting, waiting };
}

async function ofRedTeamRuns(since: string): Promise<Stopped> {
  const total = async (status: 'failed' | 'created') =>
    (await redTeam.listRuns({ query: { status, since, limit: 1 } })).total;
  const [failed, waiting] = await Promise.all([total('failed'), total('created')]);
  return { failed, waiting };
}

/** The tests of the last days that have stopped; a service that does not answer counts as none. */
export function useStoppedTests(days: number): Stopped {
  const running = useRunning();
  const since = () => new Date(Date.now() - days * dayMs).toISOString();
  return useQueries({
    queries: [
      {
        queryKey: [...scanKey, 'stopped'],
        queryFn: () => ofMcpScans(since()),
        enabled: running('mcp-scan'),
        refetchInterval,
      },
      {
        queryKey: [...modelScanKey, 'stopped'],
        queryFn: () => ofModelScans(since()),
        enabled: running('model-scan'),
        refetchInterval,
      },
      {
        queryKey: [...redTeamKey, 'stopped'],
        queryFn: () => ofRedTeamRuns(since()),
        enabled: running('red-team'),
        refetchInterval,
      },
    ],
    combine: (all) => ({
      failed: all.reduce((sum, { data }) => sum + (data?.failed ?? 0), 0),
      waiting: all.reduce((sum, { data }) => sum + (data?.waiting ?? 0), 0),
    }),
  });
}
