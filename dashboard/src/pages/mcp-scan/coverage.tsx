import type { ScanResult } from '../../api/mcp-scan.ts';
import { Facts } from '../../parts/facts.tsx';
import { Folded } from '../../parts/folded.tsx';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';

const checked = {
  api: 'looked up at an OSV server',
  db: 'looked up in a copy of the OSV database',
  none: 'not looked up: none is configured, which does not mean that there are none',
} as const;

const bytes = (size: number): string =>
  size < 10_000 ? `${count(size)} bytes` : `${count(Math.round(size / 1000))} kB`;

/** What was read of what was there, and what was not, with the reason. */
export function Coverage({ result }: { result: ScanResult }) {
  const { coverage, notes, deps_checked: deps, dependency_count: dependencies } = result;
  return (
    <div className="grid gap-6">
      <Panel title="What was read">
        {coverage === null ? (
          <p className="text-sm text-ink-soft">There was no source: the server itself was asked.</p>
        ) : (
          <>
            <progress
              aria-label="Source that was analysed"
              className="mb-4 h-2 w-full accent-(--accent)"
              value={coverage.analysed_bytes}
              max={Math.max(1, coverage.source_bytes)}
            />
            <Facts
              facts={[
                [
                  'Source analysed',
                  coverage.source_bytes === 0
                    ? 'no source in a language that is analysed'
                    : `${share(coverage.analysed_bytes / coverage.source_bytes)}, ${bytes(coverage.analysed_bytes)} of ${bytes(coverage.source_bytes)}`,
                ],
                ['Files', `${count(coverage.files)}, ${bytes(coverage.bytes)}`],
                [
                  'Everything read and followed',
                  coverage.is_complete ? 'yes' : 'no: see the notes and what was not read',
                ],
              ]}
            />
          </>
        )}
      </Panel>
      <Panel title="Dependencies">
        <Facts
          facts={[
            ['Entries', count(dependencies)],
            ['Known vulnerabilities', checked[deps]],
          ]}
        />
      </Panel>
      {notes.length > 0 && (
        <Panel title="What could not be done">
          <ul className="grid list-disc gap-1 pl-5 text-sm break-words">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Panel>
      )}
      {coverage !== null && coverage.skipped_total > 0 && (
        <Panel
          title={`Not read: ${count(coverage.skipped_total)}`}
          note="Dependencies, links, binaries, and what is larger than the limits."
        >
          <Folded>
            <ul aria-label="Not read" className="grid gap-1 text-sm">
              {coverage.skipped.map(({ path, reason }) => (
                <li key={`${path} ${reason}`} className="flex flex-wrap gap-x-3">
                  <code className="font-mono text-[13px] break-all">{path}</code>
                  <span className="text-ink-soft">{reason}</span>
                </li>
              ))}
            </ul>
          </Folded>
        </Panel>
      )}
    </div>
  );
}
