import { useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { LeaveQuestion } from './leave-question.tsx';

/** A secret that is shown only now. The dialog asks before it closes without the secret having been copied. */
export function ShownOnce({
  title,
  lead,
  secret,
  onClose,
}: {
  title: string;
  lead: string;
  secret: string;
  onClose: () => void;
}) {
  const [isCopied, setIsCopied] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => (isCopied ? onClose() : setIsLeaving(true));
  return (
    <>
      <Dialog open onClose={leave} title={title} lead={lead} keepsText>
        {/* Marking and copying it by hand counts as well. */}
        <code
          onCopy={() => setIsCopied(true)}
          className="block rounded-lg bg-raised p-3 font-mono text-sm break-all select-all"
        >
          {secret}
        </code>
        <div className="mt-5 flex justify-end gap-2">
          <CopyButton text={secret} onCopied={() => setIsCopied(true)} />
          <Button kind="primary" onClick={leave}>
            Done
          </Button>
        </div>
      </Dialog>
      <LeaveQuestion
        open={isLeaving}
        title="Close without copying it?"
        stay="Go back"
        leave="Close"
        onStay={() => setIsLeaving(false)}
        onLeave={onClose}
      >
        It was not copied, and it cannot be shown again.
      </LeaveQuestion>
    </>
  );
}
