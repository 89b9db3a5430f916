import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isUnderWay, mcpScan, scanKey, type ScanSummary } from '../../api/mcp-scan.ts';

const everyMs = 1500;

/** Where a scan stands in the queue, or what is done now; what shows it is loaded again when it ends. */
export function useLiveStatus(scan: Pick<ScanSummary, 'id' | 'status'>) {
  const queries = useQueryClient();
  const live = useQuery({
    queryKey: [...scanKey, 'status', scan.id],
    queryFn: () => mcpScan.getScanStatus({ params: { scan_id: scan.id } }),
    enabled: isUnderWay(scan),
    refetchInterval: everyMs,
  });
  const status = live.data?.status;
  useEffect(() => {
    if (status !== undefined && isUnderWay(scan) && status !== scan.status)
      void queries.invalidateQueries({ queryKey: scanKey });
  }, [status, scan, queries]);
  return live.data;
}

/** In words: the place in the queue, or the stage. */
export function LiveStage({ scan }: { scan: ScanSummary }) {
  const status = useLiveStatus(scan);
  const { queue_position: position, processing_stage: stage } = status ?? {};
  if (status === undefined) return null;
  const { progress } = status;
  if (status.status === 'pending')
    return <span className="text-[13px] text-ink-soft">number {position ?? '–'} in the queue</span>;
  const files =
    progress?.total !== null && progress !== null && progress.total > 0
      ? `, file ${progress.done} of ${progress.total}`
      : '';
  return (
    <span className="text-[13px] text-ink-soft">
      {stage ?? 'beginning'}
      {files}
    </span>
  );
}
