import { TextArea } from '../../parts/field.tsx';
import type { LabExample } from './lab-examples.ts';

/** Labelled texts, one per line, typed or from a file. */
export function ExamplesField({
  lines,
  onLines,
  examples,
  problems,
}: {
  lines: string;
  onLines: (lines: string) => void;
  examples: readonly LabExample[];
  problems: readonly string[];
}) {
  const load = async (file: File | undefined) => {
    if (file !== undefined) onLines(await file.text());
  };
  return (
    <div className="grid gap-2">
      <TextArea
        label="One example a line"
        rows={9}
        value={lines}
        placeholder={'violates, I am selling two kittens\nsafe, How do I brush my cat?'}
        onChange={({ target }) => onLines(target.value)}
        error={problems[0]}
        hint={`${examples.length} examples, ${examples.filter(({ label }) => label).length} of them violate.`}
      />
      <label className="cursor-pointer justify-self-start text-sm font-medium text-accent focus-within:underline hover:underline">
        Import a file (JSON lines)
        <input
          type="file"
          accept=".jsonl,.txt,.csv"
          className="sr-only"
          onChange={({ target }) => void load(target.files?.[0])}
        />
      </label>
    </div>
  );
}
