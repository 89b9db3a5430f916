import { Check, X } from 'lucide-react';
import { cn } from '../../parts/cn.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import type { AccessPreview } from './use-access-preview.ts';

/** The effect of the rules: a row per tool, a column per user, and the rule that decides. */
export function AccessMatrix({ preview: { columns, query } }: { preview: AccessPreview }) {
  return (
    <Panel
      title="Who can call what"
      note="By the rules above, saved or not. A number is the rule that decides; without one, the default does."
    >
      <QueryView query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="text-sm text-ink-soft">Attach a server first.</p>
          ) : (
            <div
              className="relative overflow-x-auto rounded-lg border border-line"
              tabIndex={0}
              role="region"
              aria-label="Who can call what"
            >
              <table className="w-full text-sm">
                <thead className="bg-panel">
                  <tr className="border-b border-line text-left text-[13px]">
                    <th scope="col" className="sticky left-0 bg-panel px-3 py-2 font-medium text-ink-soft">
                      Tool
                    </th>
                    {columns.map(({ name, note }) => (
                      <th key={`${name} ${note}`} scope="col" className="px-3 py-2 font-medium">
                        {name}
                        <span className="block text-xs font-normal text-ink-soft">{note}</span>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ server_id: serverId, server_name: server, tool, verdicts }) => (
                    <tr key={`${serverId} ${tool}`} className="border-b border-line last:border-0">
                      <th
                        scope="row"
                        className="sticky left-0 max-w-44 bg-panel px-3 py-1.5 text-left font-normal break-all sm:max-w-none sm:whitespace-nowrap"
                      >
                        {tool === null ? (
                          <span className="text-ink-soft">resources and prompts of {server}</span>
                        ) : (
                          <code className="font-mono text-[13px]">{tool}</code>
                        )}
                      </th>
                      {verdicts.map(({ allowed, rule }, i) => (
                        <td key={columns[i]?.name ?? i} className="px-3 py-1.5">
                          <Verdict allowed={allowed} rule={rule} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryView>
    </Panel>
  );
}

const Verdict = ({ allowed, rule }: { allowed: boolean; rule: number | null }) => {
  const Icon = allowed ? Check : X;
  return (
    <span
      className={cn('inline-flex items-center gap-1 text-[13px]', allowed ? 'text-good' : 'text-flag')}
      title={rule === null ? 'by the default' : `by rule ${rule + 1}`}
    >
      <Icon className="size-4" aria-hidden />
      <span className="sr-only">{allowed ? 'may' : 'may not'}</span>
      {rule !== null && <span className="tabular-nums">{rule + 1}</span>}
    </span>
  );
};
