import { toast } from 'sonner';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { messageOf } from './states.tsx';

/** Copies a text to the clipboard; `of` names it if a page has several such buttons. */
export const CopyButton = ({
  text,
  of,
  small = false,
  onCopied,
}: {
  text: string;
  of?: string;
  small?: boolean;
  onCopied?: () => void;
}) => (
  <Button
    {...(small && { size: 'small' })}
    {...(of !== undefined && { 'aria-label': `Copy ${of}` })}
    onClick={() =>
      void copyText(text).then(
        () => {
          toast.success('Copied.');
          onCopied?.();
        },
        (error: unknown) => toast.error(messageOf(error)),
      )
    }
  >
    Copy
  </Button>
);
