import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/** A small table of figures: names at the left, numbers at the right; the rows are its children. */
export const FigureTable = ({
  label,
  columns,
  wideColumn,
  children,
}: {
  label: string;
  columns: readonly string[];
  /** The column that a phone has no room for; its cells hide themselves. */
  wideColumn?: string;
  children: ReactNode;
}) => (
  <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
    <table className="w-full text-sm" aria-label={label}>
      <thead>
        <tr className="text-left text-[13px] text-ink-soft">
          {columns.map((name, i) => (
            <th
              key={name}
              scope="col"
              className={cn(
                'py-1.5 font-medium',
                i > 0 && 'text-right',
                i < columns.length - 1 && 'pr-4',
                name === wideColumn && 'max-sm:hidden',
              )}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
