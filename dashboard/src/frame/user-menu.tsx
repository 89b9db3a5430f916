import { ChevronsUpDown, KeyRound, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { lazy, Suspense, useRef, useState } from 'react';
import { toast } from 'sonner';
import { messageOf } from '../parts/states.tsx';
import { session } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { setTheme, useTheme, type Theme } from './theme.ts';

/** Loaded when it is opened for the first time: it checks passwords as the server does, with a library of its own. */
const ChangePassword = lazy(async () => {
  const { ChangePassword: dialog } = await import('./change-password.tsx');
  return { default: dialog };
});

const item =
  'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none data-highlighted:bg-raised data-[state=checked]:text-accent';

const themes = [
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
  { value: 'system', name: 'As the system', icon: Monitor },
] as const;

/** The user menu: theme, password, sign out. */
export function UserMenu() {
  const user = useUser();
  const theme = useTheme();
  const passwordChosen = useRef(false);
  const [changingPassword, setChangingPassword] = useState(false);
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="flex w-full items-center gap-3 rounded-xl border border-line p-2 text-left hover:bg-raised">
          <span
            className="grid size-8 place-content-center rounded-lg bg-accent-soft text-sm font-semibold text-accent uppercase"
            aria-hidden
          >
            {user.username.slice(0, 1)}
          </span>
          <span className="min-w-0 flex-1 text-sm leading-tight">
            <span className="block truncate font-medium">{user.username}</span>
            <span className="block truncate text-xs text-ink-soft">
              {user.tenantName} · {user.isAdmin ? 'admin' : 'member'}
            </span>
          </span>
          <ChevronsUpDown className="size-4 text-ink-soft" aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            side="top"
            align="start"
            sideOffset={6}
            onCloseAutoFocus={() => {
              // Not earlier: on close the dialog returns the focus to the element that had it, which must be the
              // menu's button.
              if (passwordChosen.current) setChangingPassword(true);
              passwordChosen.current = false;
            }}
            className="z-50 min-w-52 rounded-xl border border-line bg-panel p-1.5 shadow-panel"
          >
            <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
              {themes.map(({ value, name, icon: Icon }) => (
                <DropdownMenu.RadioItem key={value} value={value} className={item}>
                  <Icon className="size-4" aria-hidden /> {name}
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            {user.id !== '' && (
              <>
                <DropdownMenu.Separator className="my-1 h-px bg-line" />
                <DropdownMenu.Item
                  className={item}
                  onSelect={() => {
                    passwordChosen.current = true;
                  }}
                >
                  <KeyRound className="size-4" aria-hidden /> Change password
                </DropdownMenu.Item>
                <DropdownMenu.Item
                  className={item}
                  onSelect={() =>
                    void session.signOut().catch((error: unknown) => toast.error(messageOf(error)))
                  }
                >
                  <LogOut className="size-4" aria-hidden /> Sign out
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {changingPassword && (
        <Suspense fallback={null}>
          <ChangePassword user={user} onClose={() => setChangingPassword(false)} />
        </Suspense>
      )}
    </>
  );
}
