import type { ReactNode } from 'react';

interface Choice {
  readonly id: string;
  readonly name: string;
  /** A badge after the name. */
  readonly mark?: ReactNode;
  /** A short note at the end of the line. */
  readonly note: string;
}

/** A list of checkboxes. */
export const CheckList = ({
  choices,
  chosen,
  onChange,
  readOnly = false,
}: {
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
  /** Shows the selected entries alone. */
  readOnly?: boolean;
}) => (
  <div className="grid grid-cols-1 gap-0.5 rounded-lg border border-line p-1.5">
    {(readOnly ? choices.filter(({ id }) => chosen.includes(id)) : choices).map(
      ({ id, name, mark, note }) => (
        <label
          key={id}
          className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-raised"
        >
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-(--accent)"
            checked={chosen.includes(id)}
            disabled={readOnly}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
          <span className="min-w-0 flex-1 break-words">{name}</span>
          {mark}
          <span className="text-xs whitespace-nowrap text-ink-soft tabular-nums">{note}</span>
        </label>
      ),
    )}
  </div>
);
