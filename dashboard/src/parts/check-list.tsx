import type { ReactNode } from 'react';

interface Choice {
  readonly id: string;
  readonly name: string;
  /** A badge after the name. */
  readonly mark?: ReactNode;
  /** A few words at the end of the line. */
  readonly note: string;
}

/** A list of checkboxes. */
export const CheckList = ({
  choices,
  chosen,
  onChange,
}: {
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) => (
  // It scrolls, also where nothing in it can have the focus because it is disabled.
  <div
    tabIndex={0}
    className="grid max-h-72 grid-cols-1 gap-0.5 overflow-y-auto rounded-lg border border-line p-1.5"
  >
    {choices.map(({ id, name, mark, note }) => (
      <label
        key={id}
        className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-raised"
      >
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-(--accent)"
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
          }
        />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {mark}
        <span className="text-xs whitespace-nowrap text-ink-soft tabular-nums">{note}</span>
      </label>
    ))}
  </div>
);
