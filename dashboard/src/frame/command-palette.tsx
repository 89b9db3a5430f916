import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { usePlaces } from './use-places.ts';

/** The command palette: goes to any page by a part of its name. */
export function CommandPalette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const areas = usePlaces();
  const navigate = useNavigate();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[18vh] left-1/2 z-50 w-[min(94vw,32rem)] -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-panel shadow-panel"
        >
          <Dialog.Title className="sr-only">Go to a page</Dialog.Title>
          <Command label="Go to a page">
            <Command.Input
              placeholder="Where to?"
              className="w-full border-b border-line bg-transparent px-5 py-4 outline-none placeholder:text-ink-soft"
            />
            <Command.List className="max-h-80 overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-sm text-ink-soft">
                No page of that name.
              </Command.Empty>
              {areas.flatMap(({ name: area, icon: Icon, places }) =>
                places.map(({ to, name }) => (
                  <Command.Item
                    key={to}
                    value={`${area} ${name}`}
                    onSelect={() => {
                      onOpenChange(false);
                      void navigate({ to });
                    }}
                    className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2.5 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
                  >
                    <Icon className="size-4.5" aria-hidden />
                    <span>{name}</span>
                    <span className="ml-auto text-xs text-ink-soft">{area}</span>
                  </Command.Item>
                )),
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
