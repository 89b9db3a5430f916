import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { isRunning, modelScan, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { messageOf } from '../../parts/states.tsx';
import { useMayChange } from '../../session/use-session.ts';

/** What the owner may do with a scan. */
export function ScanActions({ scan }: { scan: Scan }) {
  const queries = useQueryClient();
  const [retrying, setRetrying] = useState(false);
  const pause = useMutation({
    mutationFn: () => modelScan.pauseScan({ body: { scan_id: scan.scan_id } }),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: modelScanKey }),
  });
  if (!useMayChange(scan.owner_id)) return null;
  return (
    <>
      {isRunning(scan) && (
        <Button busy={pause.isPending} onClick={() => pause.mutate()}>
          <Pause className="size-4" aria-hidden /> Pause
        </Button>
      )}
      {!isRunning(scan) && scan.status !== 'Finished' && (
        <Button kind="primary" onClick={() => setRetrying(true)}>
          <Play className="size-4" aria-hidden /> Continue
        </Button>
      )}
      <DeletePageButton
        noun="scan"
        name={scan.scan_name}
        list="/model-scans"
        changes={modelScanKey}
        run={() => modelScan.deleteScan({ params: { scan_id: scan.scan_id } })}
      >
        Its results, its report and what people noted on verdicts are deleted with it.
      </DeletePageButton>
      {retrying && <Retry scan={scan} onClose={() => setRetrying(false)} />}
    </>
  );
}

function Retry({ scan, onClose }: { scan: Scan; onClose: () => void }) {
  const [apiKey, setApiKey] = useState('');
  return (
    <FormDialog
      title="Continue the scan"
      lead="It goes on from its checkpoint. Nothing is sent again whose reply is stored."
      action="Continue"
      changes={modelScanKey}
      onClose={onClose}
      run={() =>
        modelScan.retryScan({
          body: { scan_id: scan.scan_id, ...(apiKey !== '' && { api_key: apiKey }) },
        })
      }
    >
      <TextField
        label="Another API key"
        type="password"
        autoComplete="off"
        hint="Empty: the one it was started with."
        value={apiKey}
        onChange={({ target }) => setApiKey(target.value)}
      />
    </FormDialog>
  );
}
