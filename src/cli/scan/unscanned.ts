/** What of a target was not scanned: a pipeline must not pass it as if nothing had been found there. */
import type { ScanHere } from '#services/mcp-scan/scan-here.ts';

/** A scan that has seen neither source that it can read nor a tool says nothing about its server. */
const isEmpty = ({ result: { coverage, tools } }: ScanHere['scans'][number]): boolean =>
  (coverage?.analysedBytes ?? 0) === 0 && tools.length === 0;

/** A sentence on what was not scanned; undefined where all was. */
export function unscanned({ scans, failed }: ScanHere): string | undefined {
  const empty = scans.filter(isEmpty);
  if (failed.length === 0 && empty.length === 0)
    return scans.length === 0 ? 'Nothing was scanned: no server is named.' : undefined;
  const parts = [
    ...(failed.length > 0 ? [`${failed.map(({ name }) => name).join(', ')} could not be scanned`] : []),
    ...(empty.length > 0
      ? [`in ${empty.map(({ name }) => name).join(', ')} there is neither source that can be read nor a tool`]
      : []),
  ];
  const before = empty.length === scans.length ? 'Nothing was scanned' : 'Not everything was scanned';
  return `${before}: ${parts.join(', and ')}.`;
}
