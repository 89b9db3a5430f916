import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import { type DefenceFound, type DefenceProposal, redTeam, type ResultDetail } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { DefenceBadges } from '../../parts/defence-badges.tsx';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { useRunning } from '../../frame/use-running.ts';
import { SaveRuleDialog } from './save-rule-dialog.tsx';

/** From an attack that succeeded to a rule that stops it: proposed, tried, saved on request. */
export function Defence({ result }: { result: ResultDetail }) {
  const isRunning = useRunning()('action-guard');
  const find = useMutation({
    mutationFn: () => redTeam.defendResult({ params: { result_id: result.result_id } }),
  });
  if (!isRunning) return null;
  return (
    <Panel
      title="Defence"
      note="Rules of the action guard, tried on this trajectory and on harmless work in the same environments."
      actions={
        <Button kind="primary" size="small" busy={find.isPending} onClick={() => find.mutate()}>
          <ShieldPlus className="size-4" aria-hidden /> Find rules
        </Button>
      }
    >
      {find.isError && <Failure error={find.error} />}
      {find.data === undefined ? (
        <p className="text-sm text-ink-soft">Nothing is saved before you ask for it.</p>
      ) : (
        <Proposals found={find.data} />
      )}
    </Panel>
  );
}

function Proposals({ found }: { found: DefenceFound }) {
  const [saving, setSaving] = useState<DefenceProposal>();
  return (
    <div className="grid gap-4">
      {found.decisive !== null && (
        <p className="text-sm">
          The attack was carried out in{' '}
          <a href={`#step-${found.decisive.step}`} className="text-accent underline">
            step {found.decisive.step}
          </a>{' '}
          by <code className="font-mono text-[13px] break-all">{found.decisive.tool}</code>.
        </p>
      )}
      {found.note !== null && <p className="text-sm text-ink-soft">{found.note}</p>}
      <ul className="grid gap-3" aria-label="Proposed rules">
        {found.proposals.map((proposal) => (
          <ProposalView key={proposal.canonical} proposal={proposal} onSave={() => setSaving(proposal)} />
        ))}
      </ul>
      {found.settings.length > 0 && (
        <section>
          <h3 className="mb-1 text-[13px] font-medium">Settings of a gateway, not tried here</h3>
          <ul className="grid gap-1 text-sm">
            {found.settings.map(({ setting, value, why }) => (
              <li key={setting}>
                <code className="font-mono text-[13px]">
                  {setting}: {value}
                </code>{' '}
                <span className="text-ink-soft">{why}</span>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-[13px] text-ink-soft">
            Run the evaluation through a{' '}
            <Link to="/gateways" className="underline">
              gateway
            </Link>{' '}
            with them, and compare.
          </p>
        </section>
      )}
      {saving !== undefined && (
        <SaveRuleDialog resultId={found.result_id} proposal={saving} onClose={() => setSaving(undefined)} />
      )}
    </div>
  );
}

function ProposalView({ proposal, onSave }: { proposal: DefenceProposal; onSave: () => void }) {
  const stopped = proposal.twins.filter((twin) => twin.stopped.length > 0);
  const calls = proposal.twins.reduce((sum, twin) => sum + twin.calls, 0);
  return (
    <li className="rounded-lg border border-line p-3 text-sm">
      <DefenceBadges
        recommended={proposal.recommended}
        stops={proposal.stops_attack}
        spares={proposal.spares_work}
        words={{
          stops: [
            proposal.attack.outcome === 'ask' ? 'asks before the attack' : 'stops the attack',
            'does not stop it',
          ],
          spares: ['spares harmless work', 'hits harmless work'],
        }}
      />
      <p className="break-words">{proposal.canonical}</p>
      <p className="mt-1 text-[13px] text-ink-soft">{proposal.why}</p>
      <p className="mt-1 text-[13px] text-ink-soft">
        Tried on {proposal.twins.length} harmless tasks with {calls} calls
        {stopped.length === 0
          ? ': none is stopped.'
          : `: ${stopped.length} would be stopped (${stopped.map(({ title }) => title).join('; ')}).`}
      </p>
      <Button size="small" className="mt-2" onClick={onSave}>
        Save this rule
      </Button>
    </li>
  );
}
