import { cn } from './cn.ts';

interface DifferentLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly line: string;
}

const looks = {
  same: 'text-ink-soft',
  removed: 'bg-flag-soft text-flag',
  added: 'bg-good-soft text-good',
};
const signs = { same: '\u00a0', removed: '−', added: '+' };
const words = { same: '', removed: 'Removed: ', added: 'Added: ' };

/** Lines further than this from a change are left out. */
const around = 3;

/** The numbers of the lines to show: those that differ, and some before and after. */
function shownLines(lines: readonly DifferentLine[]): number[] {
  const shown = new Set<number>();
  for (const [i, { change }] of lines.entries())
    if (change !== 'same') for (let at = i - around; at <= i + around; at++) shown.add(at);
  return lines.map((_, i) => i).filter((i) => shown.has(i));
}

/** Two versions of a text, line by line; what is far from any change is left out. */
export function LineDifference({ label, lines }: { label: string; lines: readonly DifferentLine[] }) {
  const shown = shownLines(lines);
  return (
    <ol
      aria-label={label}
      className="overflow-hidden rounded-lg border border-line font-mono text-xs leading-relaxed"
    >
      {shown.map((i, at) => {
        const { change, line } = lines[i] ?? { change: 'same', line: '' };
        const isAfterGap = at > 0 && shown[at - 1] !== i - 1;
        return (
          <li
            key={i}
            className={cn(
              'px-2.5 py-0.5 break-words whitespace-pre-wrap',
              looks[change],
              isAfterGap && 'border-t border-dashed border-line-strong',
            )}
          >
            <span className="sr-only">{words[change]}</span>
            {signs[change]} {line}
          </li>
        );
      })}
    </ol>
  );
}
