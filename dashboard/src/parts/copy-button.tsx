import { toast } from 'sonner';
import { Button } from './button.tsx';

/** Copies a text to the clipboard; `of` names it if a page has several such buttons. */
export const CopyButton = ({ text, of, small = false }: { text: string; of?: string; small?: boolean }) => (
  <Button
    {...(small && { size: 'small' })}
    {...(of !== undefined && { 'aria-label': `Copy ${of}` })}
    onClick={() => void navigator.clipboard.writeText(text).then(() => toast.success('Copied.'))}
  >
    Copy
  </Button>
);
