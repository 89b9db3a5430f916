import { toast } from 'sonner';
import { Button } from './button.tsx';

/** Puts a text into the clipboard; `of` says which where a page has several. */
export const CopyButton = ({ text, of, small = false }: { text: string; of?: string; small?: boolean }) => (
  <Button
    {...(small && { size: 'small' })}
    {...(of !== undefined && { 'aria-label': `Copy ${of}` })}
    onClick={() => void navigator.clipboard.writeText(text).then(() => toast.success('Copied.'))}
  >
    Copy
  </Button>
);
