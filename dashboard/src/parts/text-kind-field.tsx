import type { TestedKind } from '../api/policy-guard.ts';
import { SelectField } from './field.tsx';

/** What a text is, or nothing said about it. */
export type TextKindChoice = TestedKind | 'unsaid';

const options: readonly { value: TextKindChoice; label: string }[] = [
  { value: 'unsaid', label: 'Not said' },
  { value: 'chat', label: 'A message to a model' },
  { value: 'document', label: 'A document, web page or tool’s answer' },
  { value: 'comment', label: 'A comment or post' },
  { value: 'reply', label: 'A model’s reply' },
];

/** The body's `context` field for a choice. */
export const contextOf = (kind: TextKindChoice): { context?: TestedKind } =>
  kind === 'unsaid' ? {} : { context: kind };

/** Asks what the text is: the built-in detectors have an operating point for each kind. */
export function TextKindField({
  kind,
  onKind,
}: {
  kind: TextKindChoice;
  onKind: (kind: TextKindChoice) => void;
}) {
  return (
    <SelectField
      label="What the text is"
      hint="The built-in detectors judge each kind by its own measure; custom policies do not."
      value={kind}
      options={options}
      onChoice={onKind}
    />
  );
}
