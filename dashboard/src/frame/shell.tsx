import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu, Search, Shield, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

/** Loaded when it is opened for the first time. */
const CommandPalette = lazy(async () => {
  const { CommandPalette: palette } = await import('./command-palette.tsx');
  return { default: palette };
});

const paletteKeys = navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl K';

/** The frame around every page: navigation, search and user menu. */
export function Shell() {
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setMenuOpen(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen((open) => !open);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const search = (
    <button
      type="button"
      onClick={() => setPaletteOpen(true)}
      className="flex h-9 w-full items-center gap-2 rounded-lg border border-line bg-raised px-3 text-[13px] text-ink-soft hover:border-line-strong"
    >
      <Search className="size-4" aria-hidden /> Go to …
      <kbd className="ml-auto font-sans text-xs">{paletteKeys}</kbd>
    </button>
  );
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-3 focus:py-2 focus:text-accent-ink"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-screen flex-col border-r border-line bg-panel p-4 lg:flex">
        <Brand />
        <div className="mt-5">{search}</div>
        <Navigation />
        <UserMenu />
      </aside>
      <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-panel px-4 py-2.5 lg:hidden">
        <Brand />
        <div className="ml-auto" />
        <Button kind="quiet" size="icon" aria-label="Search" onClick={() => setPaletteOpen(true)}>
          <Search className="size-4.5" />
        </Button>
        <Button kind="quiet" size="icon" aria-label="Menu" onClick={() => setMenuOpen(true)}>
          <Menu className="size-5" />
        </Button>
      </header>
      <Dialog.Root open={menuOpen} onOpenChange={setMenuOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 lg:hidden" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 flex w-72 flex-col border-r border-line bg-panel p-4 lg:hidden"
          >
            <div className="flex items-center justify-between">
              <Dialog.Title asChild>
                <div>
                  <Brand />
                </div>
              </Dialog.Title>
              <Dialog.Close asChild>
                <Button kind="quiet" size="icon" aria-label="Close menu">
                  <X className="size-4" />
                </Button>
              </Dialog.Close>
            </div>
            <Navigation />
            <UserMenu />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl min-w-0 px-4 py-7 outline-none sm:px-8 lg:py-10"
      >
        <Outlet />
      </main>
      {paletteOpen && (
        <Suspense fallback={null}>
          <CommandPalette open onOpenChange={setPaletteOpen} />
        </Suspense>
      )}
    </div>
  );
}

const Brand = () => (
  <Link to="/" className="flex items-center gap-2.5 px-1 font-semibold tracking-tight">
    <span className="grid size-8 place-content-center rounded-lg bg-accent text-accent-ink">
      <Shield className="size-4.5" aria-hidden />
    </span>
    Bulwark
  </Link>
);
