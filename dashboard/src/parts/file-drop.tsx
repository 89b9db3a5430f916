import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { cn } from './cn.ts';

/** A field for files, by drag and drop or by selection, also by keyboard. */
export function FileDrop({
  label,
  hint,
  accept,
  multiple = false,
  onFiles,
}: {
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const [over, setOver] = useState(false);
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
      }}
      className={cn(
        'grid cursor-pointer justify-items-center gap-2 rounded-xl border border-dashed border-line-strong px-4 py-9 text-center text-sm focus-within:outline-2 focus-within:outline-accent hover:bg-raised',
        over && 'border-accent bg-accent-soft',
      )}
    >
      <FileUp className="size-6 text-ink-soft" aria-hidden />
      <span className="font-medium break-words">{label}</span>
      {hint !== undefined && <span className="text-[13px] text-ink-soft">{hint}</span>}
      <input
        type="file"
        multiple={multiple}
        accept={accept}
        className="sr-only"
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
      />
    </label>
  );
}
