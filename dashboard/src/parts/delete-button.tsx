import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import type { Place } from '../frame/places.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

interface Deletion {
  /** The kind of resource, such as “guard”. */
  readonly noun: string;
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** The queries to load again; on a page, the lists that contained the deleted object. */
  readonly changes: QueryKey;
  /** What else is deleted, or stops working. */
  readonly children: ReactNode;
}

/** Deletes the object of the page after a confirmation, and returns to the list. */
export function DeletePageButton({ list, run, changes, ...rest }: Deletion & { list: Place['to'] }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await run();
    toast.success(`“${rest.name}” is deleted.`);
    // Lists must be loaded again without the deleted object. The page's own query is kept: loading it again would be
    // 404.
    queries.removeQueries({ queryKey: changes });
    await navigate({ to: list });
  };
  return (
    <Ask
      {...rest}
      run={remove}
      trigger={
        <Button kind="quietDanger">
          <Trash2 className="size-4" aria-hidden /> Delete
        </Button>
      }
    />
  );
}

/** Deletes an entry of a list after a confirmation. */
export function DeleteRowButton({ run, changes, word = 'Delete', ...rest }: Deletion & { word?: string }) {
  const queries = useQueryClient();
  const remove = async () => {
    await run();
    await queries.invalidateQueries({ queryKey: changes });
  };
  return (
    <Ask
      {...rest}
      word={word}
      run={remove}
      trigger={
        <Button size="small" kind="quiet" aria-label={`${word} ${rest.name}`}>
          {word}
        </Button>
      }
    />
  );
}

const Ask = ({
  noun,
  name,
  word = 'Delete',
  trigger,
  run,
  children,
}: Omit<Deletion, 'changes'> & { word?: string; trigger: ReactNode }) => (
  <Confirm trigger={trigger} title={`${word} “${name}”?`} action={`${word} ${noun}`} run={run}>
    {children}
  </Confirm>
);
