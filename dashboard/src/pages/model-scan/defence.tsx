import { useMutation } from '@tanstack/react-query';
import { ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import { type DefenceFound, type DefenceProposal, modelScan } from '../../api/model-scan.ts';
import { useRunning } from '../../frame/use-running.ts';
import { Button } from '../../parts/button.tsx';
import { DefenceBadges } from '../../parts/defence-badges.tsx';
import { Failure } from '../../parts/states.tsx';
import { SavePolicyDialog } from './save-policy-dialog.tsx';

/** From a failed case to a policy that stops it: proposed, tried, saved on request. */
export function Defence({ scanId, number }: { scanId: string; number: number }) {
  const isRunning = useRunning()('policy-guard');
  const find = useMutation({
    mutationFn: () => modelScan.defendResult({ params: { scan_id: scanId, number } }),
  });
  if (!isRunning) return null;
  return (
    <section aria-label="Defence">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-[13px] font-medium text-ink-soft">Defence</h3>
        <Button size="small" busy={find.isPending} onClick={() => find.mutate()}>
          <ShieldPlus className="size-4" aria-hidden /> Find policies
        </Button>
      </div>
      {find.isError && <Failure error={find.error} />}
      {find.data === undefined ? (
        <p className="text-ink-soft">
          Policies of the policy guard are tried on this case and on harmless ones. Nothing is saved before
          you ask for it.
        </p>
      ) : (
        <Proposals scanId={scanId} found={find.data} />
      )}
    </section>
  );
}

function Proposals({ scanId, found }: { scanId: string; found: DefenceFound }) {
  const [saving, setSaving] = useState<DefenceProposal>();
  return (
    <div className="grid gap-3">
      {found.note !== null && <p className="text-ink-soft">{found.note}</p>}
      {found.proposals.length > 0 && (
        <ul className="grid gap-3" aria-label="Proposed policies">
          {found.proposals.map((proposal) => (
            <ProposalView
              key={`${proposal.place} ${proposal.template?.group_uuid} ${proposal.policy.name}`}
              proposal={proposal}
              onSave={() => setSaving(proposal)}
            />
          ))}
        </ul>
      )}
      {found.settings.map((setting) => (
        <p key={setting.setting}>
          <code className="font-mono text-[13px]">{setting.setting}</code>{' '}
          <span className="text-ink-soft">
            {setting.why} Score of the reply: {scoreOf(setting.score_before)}, redacted{' '}
            {scoreOf(setting.score_after)}; {setting.harmless.changed} of {setting.harmless.tried} harmless
            replies would be changed.
          </span>
        </p>
      ))}
      {saving !== undefined && (
        <SavePolicyDialog
          scanId={scanId}
          number={found.number}
          proposal={saving}
          onClose={() => setSaving(undefined)}
        />
      )}
    </div>
  );
}

const scoreOf = (score: number | null): string => (score === null ? 'not assessed' : String(score));

const words = {
  stops: ['stops the case', 'does not stop it'],
  spares: ['spares harmless texts', 'hits harmless texts'],
} as const;

function ProposalView({ proposal, onSave }: { proposal: DefenceProposal; onSave: () => void }) {
  const { place, template, policy, harmless, alike } = proposal;
  return (
    <li className="rounded-lg border border-line p-3">
      <DefenceBadges
        recommended={proposal.recommended}
        stops={proposal.stops_case}
        spares={proposal.spares_harmless}
        words={words}
      />
      <p className="break-words">
        {policy.name}
        <span className="text-ink-soft">
          , {template === null ? 'written from this case' : `of ${template.group_name ?? 'a template'}`}, on
          what {place === 'request' ? 'users send' : 'the model answers'}, from {proposal.threshold} on
        </span>
      </p>
      <p className="mt-1 text-[13px] break-words text-ink-soft">{proposal.why}</p>
      <p className="mt-1 text-[13px] text-ink-soft">
        {harmless.tried === 0
          ? 'There was nothing harmless to try it on.'
          : `Stops ${harmless.stopped.length} of ${harmless.tried} harmless texts.`}{' '}
        {twinWords[harmless.twin]}{' '}
        {alike.tried > 0 && `Stops ${alike.stopped} of ${alike.tried} failures like it.`}
      </p>
      {harmless.stopped.length > 0 && (
        <details className="mt-1 text-[13px]">
          <summary className="cursor-pointer text-ink-soft">Harmless texts that it stops</summary>
          <ul className="mt-1 grid gap-1">
            {harmless.stopped.map((text) => (
              <li key={`${text.number} ${text.case_id}`} className="line-clamp-3 break-words">
                {text.text}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Button size="small" className="mt-2" onClick={onSave}>
        Save this policy
      </Button>
    </li>
  );
}

const twinWords = {
  spared: 'Its harmless twin passes.',
  stopped: 'Its harmless twin is stopped too.',
  none: '',
} as const;
