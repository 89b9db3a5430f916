/** One number with its name; must be in a `dl`. */
export const Figure = ({ name, value, note }: { name: string; value: string; note?: string | undefined }) => (
  <div className="rounded-xl border border-line bg-panel p-5 shadow-panel">
    <dt className="text-[13px] text-ink-soft">{name}</dt>
    <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
      {value}
      {note !== undefined && <span className="ml-2 text-sm font-normal text-ink-soft">{note}</span>}
    </dd>
  </div>
);
