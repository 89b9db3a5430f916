import { useQuery } from '@tanstack/react-query';
import { modelScan, modelScanKey } from '../../api/model-scan.ts';

/** The data sets that a finished scan has. */
export function useScanParts(scanId: string): { readonly dataSets: readonly string[] } {
  const { data } = useQuery({
    queryKey: [...modelScanKey, 'summary', scanId],
    queryFn: () => modelScan.getSummary({ body: { scan_id: scanId } }),
    staleTime: Infinity,
  });
  return { dataSets: [...new Set(data?.coverage.map(({ dataset }) => dataset))] };
}
