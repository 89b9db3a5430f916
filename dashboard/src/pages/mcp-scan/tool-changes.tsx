import type { ToolChange } from '../../api/mcp-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { cn } from '../../parts/cn.ts';
import { Folded } from '../../parts/folded.tsx';

const tones = { added: 'warn', removed: 'plain', changed: 'flag' } as const;
const fieldNames: Readonly<Record<string, string>> = {
  description: 'Description',
  title: 'Title',
  input_schema: 'What it takes',
  output_schema: 'What it gives',
  annotations: 'Annotations',
};

/** Differences of tools between two scans, as text before and after. */
export const ToolChanges = ({ changes }: { changes: readonly ToolChange[] }) => (
  <ul className="grid gap-3">
    {changes.map(({ name, change, fields }) => (
      <li
        key={`${change} ${name}`}
        className="min-w-0 rounded-xl border border-line bg-panel p-5 shadow-panel"
      >
        <h3 className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm font-medium break-all">{name}</span>
          <Badge tone={tones[change]}>{change}</Badge>
        </h3>
        {fields.map(({ field, before, after }) => (
          <div key={field} className="mt-3">
            <h4 className="mb-1 text-[13px] font-medium">{fieldNames[field] ?? field}</h4>
            <Difference before={before} after={after} />
          </div>
        ))}
      </li>
    ))}
  </ul>
);

/** How much of two texts is the same at their beginning and at their end. */
function sameEnds(before: string, after: string): { start: number; end: number } {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start, end };
}

function Difference({ before, after }: { before: string; after: string }) {
  const { start, end } = sameEnds(before, after);
  const side = (text: string, sign: '-' | '+') => {
    const Changed = sign === '-' ? 'del' : 'ins';
    return (
      <p
        className={cn(
          'grid grid-cols-[1rem_minmax(0,1fr)] px-3 py-1.5',
          sign === '-' ? 'bg-flag-soft' : 'bg-good-soft',
        )}
      >
        <span aria-hidden>{sign}</span>
        <span className="break-words whitespace-pre-wrap">
          {text.slice(0, start)}
          <Changed className="font-semibold no-underline">{text.slice(start, text.length - end)}</Changed>
          {text.slice(text.length - end)}
        </span>
      </p>
    );
  };
  return (
    <Folded>
      <div className="overflow-hidden rounded-lg border border-line font-mono text-[13px] leading-relaxed">
        {before !== '' && side(before, '-')}
        {after !== '' && side(after, '+')}
      </div>
    </Folded>
  );
}
