import type { ReactNode } from 'react';

/** A section of cards to start from. */
export const Cards = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-labelledby={title.toLowerCase()}>
    <h2 id={title.toLowerCase()} className="mb-3 font-semibold tracking-tight">
      {title}
    </h2>
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">{children}</ul>
  </section>
);

export const Card = ({
  head,
  badge,
  text,
  action,
}: {
  head: ReactNode;
  badge: ReactNode;
  text: string;
  action: ReactNode;
}) => (
  <li className="flex flex-col rounded-xl border border-line bg-panel p-5 shadow-panel">
    <div className="flex items-start justify-between gap-2">
      <h3 className="font-medium">{head}</h3>
      {badge}
    </div>
    {/* The element must not grow, or the text that was cut off would become visible. */}
    <div className="flex-1">
      <p className="mt-1.5 mb-4 line-clamp-3 text-[13px] text-ink-soft">{text}</p>
    </div>
    <div>{action}</div>
  </li>
);
