import { Tabs as RadixTabs } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { useAddress } from './use-address.ts';

interface Part {
  /** Part of the address: `?tab=…`. */
  readonly value: string;
  readonly name: ReactNode;
  readonly content: () => ReactNode;
}

/** Of the tabs beside the open one a part is seen. */
const spareBesidePx = 48;

/** Tabs. The open one is stored in the address, so that each can be linked to. */
export function Tabs({
  label,
  parts,
  first = parts[0]?.value ?? '',
}: {
  label: string;
  parts: readonly Part[];
  /** The one that is open where the address names none. */
  first?: string;
}) {
  const [asked, setTab] = useAddress('tab');
  const list = useRef<HTMLDivElement>(null);
  const shown = parts.some(({ value }) => value === asked) ? asked : first;
  // On a narrow screen the open tab may be out of view.
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[data-state=active]');
    // `scrollIntoView` would move the page too.
    if (active) list.current?.scrollTo({ left: active.offsetLeft - spareBesidePx });
  }, [shown]);
  return (
    <RadixTabs.Root value={shown} onValueChange={(value) => setTab(value === first ? '' : value)}>
      <RadixTabs.List
        ref={list}
        aria-label={label}
        className="relative mb-6 flex gap-6 overflow-x-auto border-b border-line"
      >
        {parts.map(({ value, name }) => (
          <RadixTabs.Trigger
            key={value}
            value={value}
            className="border-b-2 border-transparent px-1 py-2.5 text-sm whitespace-nowrap text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {name}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {parts.map(({ value, content }) => (
        <RadixTabs.Content key={value} value={value} tabIndex={-1}>
          {value === shown && content()}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
