import type { ReactNode } from 'react';

export interface Mark {
  /** Offsets in UTF-16 code units, the end after the last. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

/** A text with the parts that caused a verdict marked; overlapping marks are joined. */
export function MarkedText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end, title } of joined(marks)) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(
      <mark
        key={start}
        title={title}
        className="rounded bg-flag-soft px-0.5 text-flag underline decoration-flag/60 decoration-2 underline-offset-4"
      >
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return <p className="leading-relaxed break-words whitespace-pre-wrap">{parts}</p>;
}

function joined(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && mark.start < last.end)
      result[result.length - 1] = {
        start: last.start,
        end: Math.max(last.end, mark.end),
        title: last.title.includes(mark.title) ? last.title : `${last.title}; ${mark.title}`,
      };
    else result.push(mark);
  }
  return result;
}
