import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { toast } from 'sonner';
import { Button } from './button.tsx';
import { messageOf } from './states.tsx';

type RowsForm = 'csv' | 'jsonl';

/** Saves the rows of a page, all of them and not only those that are shown, as CSV or JSON lines. */
export function SaveRows({ save }: { save: (form: RowsForm) => Promise<void> }) {
  const saving = useMutation({ mutationFn: save, onError: (error) => toast.error(messageOf(error)) });
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={saving.isPending} onClick={() => saving.mutate('csv')}>
        <Download className="size-4" aria-hidden /> CSV
      </Button>
      <Button busy={saving.isPending} onClick={() => saving.mutate('jsonl')}>
        <Download className="size-4" aria-hidden /> JSON lines
      </Button>
    </div>
  );
}
