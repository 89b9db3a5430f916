import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelScan, modelScanKey, type OwnDataSet } from '../../api/model-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useMayChange } from '../../session/use-session.ts';

const pageSize = 20;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The cases of a data set in a dialog, where its owner takes some out and adds others. */
export function DataSetCases({ set }: { set: OwnDataSet }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" kind="quiet" aria-label={`Cases of ${set.name}`} onClick={() => setOpen(true)}>
        Cases
      </Button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={set.name} lead="Its cases" wide keepsText>
          <Cases set={set} />
        </Dialog>
      )}
    </>
  );
}

function Cases({ set }: { set: OwnDataSet }) {
  const [offset, setOffset] = useState(0);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [prompt, setPrompt] = useState('');
  const mayChange = useMayChange(set.owner_id);
  const params = { dataset_id: set.dataset_id };
  const query = useQuery({
    queryKey: [...modelScanKey, 'cases', set.dataset_id, offset],
    queryFn: () => modelScan.getDataSet({ params, query: { limit: pageSize, offset } }),
  });
  return (
    <QueryView query={query}>
      {({ items, cases }) => (
        <Form
          action={mayChange ? 'Save' : undefined}
          ready={removed.length > 0 || prompt.trim() !== ''}
          changes={modelScanKey}
          run={() =>
            modelScan.changeDataSet({
              params,
              body: {
                remove: [...removed],
                ...(prompt.trim() !== '' && { content: JSON.stringify({ prompt }) }),
              },
            })
          }
          onDone={() => {
            setRemoved([]);
            setPrompt('');
          }}
          beside={
            <>
              <Button disabled={offset === 0} onClick={() => setOffset(offset - pageSize)}>
                Previous
              </Button>
              <Button disabled={offset + pageSize >= cases} onClick={() => setOffset(offset + pageSize)}>
                Next
              </Button>
            </>
          }
        >
          <ul className="grid gap-2 text-sm">
            {items.map((item) => {
              const id = textOf(item['id']);
              const turns = Array.isArray(item['turns']) ? item['turns'].map(textOf) : [];
              const isOut = removed.includes(id);
              return (
                <li key={id} className="flex items-start gap-3">
                  <span className={`min-w-0 flex-1 break-words ${isOut ? 'line-through' : ''}`}>
                    {turns.join(' / ')} <Badge>{textOf(item['subcategory'])}</Badge>
                  </span>
                  {mayChange && (
                    <Button
                      size="small"
                      kind="quiet"
                      onClick={() =>
                        setRemoved(isOut ? removed.filter((each) => each !== id) : [...removed, id])
                      }
                    >
                      {isOut ? 'Keep' : 'Remove'}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
          {mayChange && (
            <TextField
              label="Another request to refuse"
              value={prompt}
              onChange={({ target }) => setPrompt(target.value)}
            />
          )}
        </Form>
      )}
    </QueryView>
  );
}
