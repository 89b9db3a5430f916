import type { Finding } from '../../api/mcp-scan.ts';
import { cn } from '../../parts/cn.ts';

const linesBefore = 3;
const roleNames = { source: 'comes in', step: 'goes on', guard: 'is checked', sink: 'does harm' } as const;

/** Lines of a snippet with their numbers; it begins at most three lines before the finding. */
function linesOf({ snippet, start_line: start }: Finding): { number: number; text: string }[] {
  if (snippet === null || start === null) return [];
  const lines = snippet.split('\n');
  const first = lines.length === 1 ? start : Math.max(1, start - linesBefore);
  return lines.map((text, at) => ({ number: first + at, text }));
}

/** The code of a finding: the dangerous lines stand out, and so do those that the input passes. */
export function CodeFrame({ finding }: { finding: Finding }) {
  const { file, start_line: start, end_line: end, trace } = finding;
  const lines = linesOf(finding);
  if (lines.length === 0 || start === null) return null;
  const passed = new Map(
    trace.filter((step) => step.file === file).map(({ line, role }) => [line, role] as const),
  );
  return (
    <pre
      tabIndex={0}
      aria-label={`Code of ${file ?? 'the finding'} from line ${lines[0]?.number}`}
      // `relative`: otherwise words for screen readers would widen the page.
      className="relative overflow-x-auto rounded-lg border border-line bg-raised py-2 font-mono text-[13px] leading-6"
    >
      <code className="block w-max min-w-full">
        {lines.map(({ number, text }) => {
          const isIt = number >= start && number <= (end ?? start);
          const role = passed.get(number);
          return (
            <span
              key={number}
              className={cn(
                'block border-l-2 border-transparent pr-4',
                role !== undefined && 'border-accent bg-accent-soft',
                isIt && 'border-flag bg-flag-soft',
              )}
            >
              <span className="mr-3 inline-block w-12 text-right text-ink-soft select-none">{number}</span>
              {text}
              {role !== undefined && <span className="sr-only"> ({roleNames[role]})</span>}
            </span>
          );
        })}
      </code>
    </pre>
  );
}

/** From where the input comes in to where it does harm, step by step. */
export function Trace({ trace }: Pick<Finding, 'trace'>) {
  if (trace.length < 2) return null;
  return (
    <div>
      <h4 className="mb-2 text-[13px] font-medium">How it gets there</h4>
      <ol className="grid gap-0 text-sm">
        {trace.map(({ file, line, role, text }, at) => (
          <li key={at} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
            <span className="flex flex-col items-center" aria-hidden>
              <span
                className={cn(
                  'mt-1.5 size-3 shrink-0 rounded-full border-2 border-line-strong bg-panel',
                  role === 'source' && 'border-accent bg-accent',
                  role === 'guard' && 'border-good bg-good',
                  role === 'sink' && 'border-flag bg-flag',
                )}
              />
              {at < trace.length - 1 && <span className="w-px flex-1 bg-line-strong" />}
            </span>
            <span className="min-w-0 pb-2.5">
              <code className="block font-mono text-[13px] break-words">{text}</code>
              <span className="text-[13px] text-ink-soft">
                <span className={cn('font-medium', role === 'sink' && 'text-flag')}>{roleNames[role]}</span>
                {' · '}
                <span className="break-all">
                  {file}
                  {line !== null && `:${line}`}
                </span>
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
