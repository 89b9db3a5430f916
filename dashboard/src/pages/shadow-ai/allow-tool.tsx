import { useState } from 'react';
import { shadowAi, shadowAiKey, type FoundTool } from '../../api/shadow-ai.ts';
import { TextArea, TextField } from '../../parts/field.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { FormDialog } from '../../parts/form.tsx';

/** Approves a tool: its responsible owner, the reason, and an end date. */
export function AllowTool({ tool, onClose }: { tool: FoundTool; onClose: () => void }) {
  const [owner, setOwner] = useState(tool.allowed?.owner ?? '');
  const [reason, setReason] = useState(tool.allowed?.reason ?? '');
  const [until, setUntil] = useState(tool.allowed?.ends_at?.slice(0, 10) ?? '');
  const params = { rule_id: tool.agent_framework };
  return (
    <FormDialog
      title={`Allow ${tool.name}`}
      lead="For the whole tenant. The tool stays in the inventory, marked as allowed."
      action="Allow"
      ready={owner.trim() !== '' && reason.trim() !== ''}
      changes={shadowAiKey}
      onClose={onClose}
      run={() =>
        shadowAi.allowTool({
          params,
          query: {},
          body: { owner, reason, ends_at: until === '' ? null : `${until}T23:59:59.000Z` },
        })
      }
    >
      <TextField
        label="Owner"
        hint="Who answers for it."
        value={owner}
        onChange={({ target }) => setOwner(target.value)}
        required
        maxLength={200}
      />
      <TextArea
        label="Reason"
        rows={3}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        required
        maxLength={2000}
      />
      <TextField
        label="Until"
        hint="The last day, in UTC; empty: for good."
        type="date"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
      {tool.allowed !== null && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
          Allowed by {tool.allowed.allowed_by}.
          <DeleteRowButton
            noun="sanction"
            word="Take back"
            name={tool.name}
            changes={shadowAiKey}
            run={async () => {
              await shadowAi.disallowTool({ params, query: {} });
              onClose();
            }}
          >
            Its detections count as not allowed again.
          </DeleteRowButton>
        </p>
      )}
    </FormDialog>
  );
}
