import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookmarkPlus, Ellipsis, Users } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { identity, type SavedView } from '../../api/identity.ts';
import { useUser } from '../../session/use-session.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { messageOf } from '../states.tsx';
import { readAddress, type Address } from '../use-address.ts';
import { isShown, savedViewsKey, useCurrentFilters, useSavedViews } from './use-saved-views.ts';
import { ViewForm } from './view-form.tsx';

const item =
  'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none data-highlighted:bg-raised';

/**
 * The saved views of a list, and the button that saves what is shown now.
 * @param of the parts of the address that a view keeps
 */
export function SavedViews({ of: parts }: { of: readonly (keyof Address)[] }) {
  const current = useCurrentFilters(parts);
  const { place, views, isKnown } = useSavedViews();
  const [saving, setSaving] = useState(false);
  const [changing, setChanging] = useState<SavedView>();
  const isNew = isKnown && Object.keys(current).length > 0 && !views.some((view) => isShown(view, current));
  if (views.length === 0 && !isNew && !saving) return null;
  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      {views.length > 0 && (
        <ul aria-label="Saved views" className="contents">
          {views.map((view) => (
            <Chip key={view.view_id} view={view} current={current} onChange={() => setChanging(view)} />
          ))}
        </ul>
      )}
      {isNew && (
        <Button size="small" kind="quiet" onClick={() => setSaving(true)}>
          <BookmarkPlus className="size-4" aria-hidden /> Save this view
        </Button>
      )}
      {saving && <ViewForm place={place} search={current} onClose={() => setSaving(false)} />}
      {changing !== undefined && (
        <ViewForm
          place={place}
          search={changing.search}
          view={changing}
          onClose={() => setChanging(undefined)}
        />
      )}
    </div>
  );
}

function Chip({
  view,
  current,
  onChange,
}: {
  view: SavedView;
  current: Readonly<Record<string, string>>;
  onChange: () => void;
}) {
  const user = useUser();
  const isOwn = view.owner_id === user.id;
  const by = view.owner_name ?? 'somebody';
  return (
    <li
      className={cn(
        'flex max-w-full items-center rounded-lg border border-line bg-panel text-[13px]',
        isShown(view, current) && 'border-accent',
      )}
    >
      <Link
        to="."
        search={readAddress(view.search)}
        className="flex min-w-0 items-center gap-1.5 rounded-lg px-2.5 py-1.5 hover:bg-raised"
        {...(isShown(view, current) && { 'aria-current': true })}
        {...(!isOwn && { title: `Shared by ${by}` })}
      >
        {view.visibility === 'tenant' && (
          <Users
            className="size-3.5 shrink-0 text-ink-soft"
            aria-label={isOwn ? 'shared' : `shared by ${by}`}
            role="img"
          />
        )}
        <span className="truncate">{view.name}</span>
      </Link>
      {(isOwn || user.isAdmin) && <Menu view={view} isOwn={isOwn} current={current} onChange={onChange} />}
    </li>
  );
}

function Menu({
  view,
  isOwn,
  current,
  onChange,
}: {
  view: SavedView;
  isOwn: boolean;
  current: Readonly<Record<string, string>>;
  onChange: () => void;
}) {
  const queries = useQueryClient();
  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      await queries.invalidateQueries({ queryKey: savedViewsKey });
      toast.success(done);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const params = { view_id: view.view_id };
  const canReplace = isOwn && Object.keys(current).length > 0 && !isShown(view, current);
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`What to do with the view ${view.name}`}
        className="rounded-r-lg px-1.5 py-2 text-ink-soft hover:bg-raised hover:text-ink"
      >
        <Ellipsis className="size-3.5" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 rounded-xl border border-line bg-panel p-1.5 shadow-panel"
        >
          {isOwn && (
            <DropdownMenu.Item className={item} onSelect={onChange}>
              Rename or share
            </DropdownMenu.Item>
          )}
          {canReplace && (
            <DropdownMenu.Item
              className={item}
              onSelect={() =>
                void run(
                  () => identity.updateSavedView({ params, body: { search: { ...current } } }),
                  `“${view.name}” keeps these filters now.`,
                )
              }
            >
              Keep these filters in it
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item
            className={cn(item, 'text-flag')}
            onSelect={() =>
              void run(() => identity.deleteSavedView({ params }), `“${view.name}” is deleted.`)
            }
          >
            Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
